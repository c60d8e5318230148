import type { Tag } from '../../http/endpoint.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Invitations',
  description: 'People who are asked to join, by a link that works once.',
}

export const invitationIds = idType('invitation', 'inv')

/** Counts open ones. */
export const cap: Cap = {
  name: 'invitations',
  defaultLimit: 100,
  noun: 'open invitations',
  countSql:
    'select count(*) from invitations where organization_id = $1 and expires_at > clock_timestamp()',
}

const dayMs = 24 * 60 * 60 * 1_000

/** The most that an organization sends in a day, those sent again included. */
export const mostADay = { limit: 200, withinMs: dayMs }
export const lifetimeMs = 7 * dayMs
