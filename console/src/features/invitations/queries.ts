import { listKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'

export function invitationList(search: Search) {
  const query = queryOf(search, ['email', 'role', 'sort'])
  return listOptions(listKey('invitations', query), (cursor) =>
    flightdeck.invitations.list({ ...query, cursor, limit: 50 }),
  )
}
