import { listKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck } from '../../flightdeck.ts'

export { templateQuery } from '../campaigns/form/templates.ts'

const filters = ['q', 'label', 'sort']

export function templateList(search: Search) {
  const query = queryOf(search, filters)
  return listOptions(listKey('templates', query), (cursor) =>
    flightdeck.templates.list({ ...query, cursor, limit: 50 }),
  )
}
