import type { Tag } from '../../http/endpoint.ts'
import { permission } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'

export const tag: Tag = {
  name: 'API keys',
  description: 'Credentials for programs: a role without a session.',
}

export const readApiKeys = permission('api_keys.read', ['owner', 'admin'])
/** A stolen key could use it to create further access. */
export const manageApiKeys = permission('api_keys.manage', ['owner', 'admin'], {
  isForPeopleOnly: true,
})

export const cap: Cap = {
  name: 'api_keys',
  noun: 'API keys',
  defaultLimit: 100,
  countSql: 'select count(*) from api_keys where organization_id = $1 and revoked_at is null',
}
