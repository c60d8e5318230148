import type { Schema } from '../../flightdeck.ts'

type ChannelKind = Schema<'NotificationChannelKind'>

/** Each kind, and what its target is called. */
export const channelKinds = [
  { value: 'slack', name: 'Slack', target: 'URL of the incoming webhook' },
  { value: 'teams', name: 'Microsoft Teams', target: 'URL of the workflow' },
  { value: 'google_chat', name: 'Google Chat', target: 'URL of the webhook of the space' },
  { value: 'email', name: 'Mail', target: 'Email address' },
  { value: 'webhook', name: 'Webhook', target: 'URL of your receiver' },
] as const satisfies readonly { value: ChannelKind; name: string; target: string }[]

export const kindOf = (kind: string) => channelKinds.find(({ value }) => value === kind)

export const nameOfKind = (kind: string): string => kindOf(kind)?.name ?? kind

export const channelDigests = [
  { value: 'none', name: 'At once' },
  { value: 'hourly', name: 'Once an hour' },
  { value: 'daily', name: 'Once a day, at seven in the morning' },
] as const

export const nameOfDigest = (digest: string): string =>
  channelDigests.find(({ value }) => value === digest)?.name ?? digest

export const statuses = [
  { value: 'enabled', name: 'On' },
  { value: 'disabled', name: 'Off' },
]
