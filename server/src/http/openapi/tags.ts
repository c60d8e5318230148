import type { Json } from './schemas.ts'

const tagTexts = {
  Auth: 'Tokens and sessions. A token is a JWT, valid for 24 hours and renewable; a session lasts at most 30 days.',
  Campaigns: 'Budgets, dates and targets of advertising. The status changes only by actions.',
  Profiles: 'The advertiser accounts that campaigns run under.',
  Proxies: 'Network egress for the traffic of profiles. Credentials are write-only.',
  Templates: 'Presets for campaigns: default values and locked fields.',
  'Audit logs': 'Who did what, when, and with which outcome, in a tamper-evident hash chain.',
  Events: 'Changes as events, to list or stream; webhooks deliver the same events.',
  'Webhook endpoints': 'Your URLs that receive events.',
  Organization: 'The organization of the token.',
  Members: 'The organization’s users and their roles.',
  'API keys': 'Credentials for programs: a role without a session.',
  Limits: 'Plan limits and usage.',
  Sandbox: 'An organization for testing: its clock can be moved and its content reset.',
  Reference: 'Reference data of the service.',
}

/** A group of operations in the OpenAPI document, with its description. */
export type Tag = keyof typeof tagTexts

/** The used tags, in the order above. */
export const tagsOf = (used: readonly string[]): Json[] =>
  Object.entries(tagTexts)
    .filter(([name]) => used.includes(name))
    .map(([name, description]) => ({ name, description }))
