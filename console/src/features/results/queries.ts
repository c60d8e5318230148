import { queryOptions } from '@tanstack/react-query'
import { now } from '../../data/clock.ts'
import { listKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { one, queryOf, type Search } from '../../data/search.ts'
import { addDays, ownZone, wallOf } from '../../data/values/time.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import { type Chosen, type Days, daysIn } from './period.ts'

export type ResultGroup = Schema<'ResultGroup'>

export const groupings = [
  'campaign',
  'profile',
  'client',
  'platform',
  'label',
  'currency',
  'day',
  'source',
] as const
export type Grouping = (typeof groupings)[number]

export const groupingIn = (search: Search): Grouping =>
  groupings.find((each) => each === one(search.group_by)) ?? 'campaign'

const filters = ['client_id', 'client', 'profile_id', 'platform', 'label', 'currency', 'source']

export const chosenIn = ({ period, from, until }: Search): Chosen => ({
  period: one(period),
  from: one(from),
  until: one(until),
})

/** Today, by the reader's clock. */
const today = (): string => wallOf(now(), ownZone).slice(0, 10)

/** The days that the address means; null where the first is after the last. */
export const daysOf = (search: Search): Days | null => daysIn(chosenIn(search), today())

/** The query of the address; null if its first day is after its last. */
export function resultQuery(search: Search) {
  const days = daysOf(search)
  if (days === null) return null
  const { from, to } = days
  const end = afterAll(from)
  return { ...filtersIn(search), from, to: to !== undefined && to < end ? to : end }
}

export const filtersIn = (search: Search) => queryOf(search, filters)

const daysAhead = 62
const mostDays = 1_100

/** The days of the address, with those ahead that are planned. */
export function chartDays(search: Search) {
  const days = daysOf(search)
  if (days === null) return null
  const { from, to } = days
  const end = addDays(from > today() ? from : today(), daysAhead)
  const asked = to ?? afterAll(from)
  const last = asked < end ? asked : end
  const earliest = addDays(last, -mostDays)
  return { from: from > earliest ? from : earliest, to: last }
}

/** Tomorrow has begun elsewhere. */
const afterAll = (from: string): string => addDays(from > today() ? from : today(), 2)

/** Sums of each group and currency; groups have no id of their own. */
export function resultList(search: Search) {
  const query = resultQuery(search) ?? {}
  const group_by = groupingIn(search)
  return listOptions(listKey('results', { ...query, group_by }), async (cursor) => {
    const page = await flightdeck.results.list({ ...query, group_by, cursor, limit: 50 })
    const data = page.data.map((row) => ({ ...row, id: `${row.group} ${row.currency}` }))
    return { ...page, data }
  })
}

/** The sums of all that is chosen, in each currency. */
export function totalsQuery(search: Search) {
  const query = resultQuery(search)
  const asked = { ...query, group_by: 'currency', sort: 'group', limit: 100 } as const
  return queryOptions({
    queryKey: listKey('results', asked),
    queryFn: async () => (await flightdeck.results.list(asked)).data,
    enabled: query !== null,
  })
}

export const sourcesQuery = queryOptions({
  queryKey: listKey('results', { sources: true }),
  queryFn: async () => flightdeck.results.listSources({ limit: 100 }).toArray({ limit: 100 }),
})
