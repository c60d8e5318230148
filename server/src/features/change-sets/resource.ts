import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Change sets',
  description: 'Proposed changes, tried out together, reviewed, and applied once.',
}

export const changeSetIds = idType('change set', 'chs')

export const readChangeSets = permission('change_sets.read', roles, { isForAgents: true })
export const writeChangeSets = permission('change_sets.write', ['owner', 'admin', 'editor'], {
  isForAgents: true,
})
/** Programs do not approve. */
export const approveChangeSets = permission('change_sets.approve', ['owner', 'admin', 'editor'], {
  isForPeopleOnly: true,
})
export const rejectChangeSets = permission('change_sets.reject', ['owner', 'admin', 'editor'])
/** Cancel and refresh what others have proposed. */
export const manageChangeSets = permission('change_sets.manage', ['owner', 'admin'])

/** The cap on open change sets: those that have ended do not count. */
export const cap: Cap = {
  name: 'change_sets',
  defaultLimit: 1_000,
  countSql: `select count(*) from change_sets where organization_id = $1 and ended_at is null
    and status in ('open', 'approved', 'scheduled')`,
}
