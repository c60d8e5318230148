/** Keys of the query cache: a kind of object, then what is asked of it. */

export type Kind =
  | 'api_keys'
  | 'audit_logs'
  | 'campaigns'
  | 'change_sets'
  | 'deliveries'
  | 'events'
  | 'guardrails'
  | 'limits'
  | 'members'
  | 'organization'
  | 'pacing'
  | 'profiles'
  | 'proxies'
  | 'results'
  | 'sandbox'
  | 'sessions'
  | 'templates'
  | 'webhook_endpoints'

export const listKey = (kind: Kind, query: object = {}) => [kind, 'list', query] as const
export const objectKey = (kind: Kind, id: string) => [kind, 'object', id] as const
/** Something below an object, such as its history. */
export const partKey = (kind: Kind, id: string, part: string, query: object = {}) =>
  [kind, 'part', id, part, query] as const
