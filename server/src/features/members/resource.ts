import type { Tag } from '../../http/endpoint.ts'
import { permission } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Members',
  description: 'The organization’s users and their roles.',
}

export const userIds = idType('user', 'usr')

export const readMembers = permission('members.read', ['owner', 'admin'])
/** A stolen key could use it to create further access. */
export const manageMembers = permission('members.manage', ['owner', 'admin'], {
  isForPeopleOnly: true,
})

export const cap: Cap = {
  name: 'members',
  defaultLimit: 1_000,
  countSql: 'select count(*) from users where organization_id = $1',
}
