import type { Kind } from '../kinds.ts'

const ofAll = ['name', 'external_id', 'labels', 'metadata', 'version']

/** The fields that are read of each object: what files may name, and what plans need. */
export const fieldsRead: Readonly<Record<Kind, readonly string[]>> = {
  client: [...ofAll, 'currency', 'time_zone', 'status', 'notes'],
  proxy: [
    ...ofAll,
    'protocol',
    'host',
    'port',
    'country',
    'enabled',
    'notes',
    'updated_at',
    'updated_by_name',
  ],
  profile: [
    ...[...ofAll, 'client_id', 'platform', 'account_ref', 'currency', 'time_zone', 'country'],
    ...['proxy_id', 'status', 'credential_ref', 'daily_budget_cap', 'monthly_spend_cap', 'notes'],
  ],
  template: [...ofAll, 'description', 'defaults', 'locked_fields'],
  campaign: [
    ...[...ofAll, 'objective', 'profile_id', 'daily_budget', 'lifetime_budget', 'currency'],
    ...['start_at', 'end_at', 'time_zone', 'schedule', 'notes', 'target', 'template_id'],
    ...['status', 'launched_at', 'completed_at'],
  ],
}
