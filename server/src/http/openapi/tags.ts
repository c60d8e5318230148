import type { Json } from './schemas.ts'

const tagTexts = {
  Auth: 'Tokens and sessions. A token is a JWT that lives 24 hours and can be renewed; a session lives 30 days at most.',
  Campaigns: 'What is advertised, for how much and when. The status moves only by actions.',
  Profiles: 'The advertiser accounts that campaigns run under.',
  Proxies: 'Network egress for the traffic of profiles. Credentials are write-only.',
  Templates: 'Presets for campaigns: values to begin with, and fields that stay fixed.',
  'Audit logs':
    'Who did what, when and with which outcome: a chain of hashes that cannot be rewritten.',
  Events: 'What has happened, to be pulled or streamed: the same that webhooks are sent.',
  'Webhook endpoints': 'Endpoints of yours that are told about events.',
  Organization: 'The organization that the token belongs to.',
  Members: 'The organization’s users and their roles.',
  'API keys': 'What machines come with instead of a login: a role, and no session.',
  Limits: 'The plan, and what is used of it.',
  Sandbox: 'An organization to try things in: its clock can be moved, its content thrown away.',
  Reference: 'Facts about the service, made from its own tables.',
}

/** A group of operations in the OpenAPI document; each has a text. */
export type Tag = keyof typeof tagTexts

/** The tags in use, in our order. */
export const tagsOf = (used: readonly string[]): Json[] =>
  Object.entries(tagTexts)
    .filter(([name]) => used.includes(name))
    .map(([name, description]) => ({ name, description }))
