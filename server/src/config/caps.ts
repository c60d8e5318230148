// Made from the caps that the features declare by "npm run generate": do not edit.
export const defaultCaps = {
  reports: 1000,
  campaigns: 10000,
  profiles: 1000,
  clients: 1000,
  proxies: 1000,
  templates: 500,
  webhook_endpoints: 20,
  notification_channels: 20,
  members: 1000,
  invitations: 100,
  api_keys: 100,
  change_sets: 1000,
  views: 200,
} as const

export type CapName = keyof typeof defaultCaps
