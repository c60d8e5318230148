import { queryOptions } from '@tanstack/react-query'
import { listKey, objectKey, partKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { one, queryOf, type Search } from '../../data/search.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'

export type Pacing = Schema<'Pacing'>
export type ResultPeriod = Schema<'ResultPeriod'>
export type PacingRow = Pacing & { id: string }

/** Rows of tables have an id; a pacing's is that of its campaign. */
export const rowOf = (pacing: Pacing): PacingRow => ({ ...pacing, id: pacing.campaign_id })

export const pacingQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('pacing', id),
    queryFn: async () => flightdeck.campaigns.getPacing(id),
  })

type Days = { from: string; to: string }

export const dailyResults = (id: string, days: Days) =>
  queryOptions({
    queryKey: partKey('results', id, 'daily', days),
    queryFn: async () => flightdeck.campaigns.getResults(id, { ...days, granularity: 'day' }),
  })

const filters = ['status', 'campaign_status', 'currency', 'profile_id', 'label']

export function pacingList(search: Search) {
  const query = queryOf(search, filters)
  const sort = one(search.sort) === 'money_at_risk' ? 'money_at_risk' : '-money_at_risk'
  return listOptions(listKey('pacing', { ...query, sort }), async (cursor) => {
    const page = await flightdeck.pacing.list({ ...query, sort, cursor, limit: 50 })
    return { ...page, data: page.data.map(rowOf) }
  })
}

const worstCount = 10

/** Statuses off the plan, the most severe first. */
export const severities = [
  ['critical', 'exhausted'],
  ['over', 'under'],
] as const

/** The worst by money at risk, of one currency: amounts of two are never compared. */
export const worstPacing = (currency: string, status: readonly Pacing['status'][]) => {
  const query = {
    currency,
    status: [...status],
    sort: '-money_at_risk' as const,
    limit: worstCount,
  }
  return queryOptions({
    queryKey: listKey('pacing', query),
    queryFn: async () => (await flightdeck.pacing.list(query)).data,
  })
}

/** The currencies of what is off its plan. */
export const pacingCurrencies = queryOptions({
  queryKey: listKey('pacing', { currencies: true }),
  queryFn: async () => {
    const status = severities.flat()
    const { data } = await flightdeck.pacing.list({ status, limit: 100, fields: ['currency'] })
    return [...new Set(data.map(({ currency }) => currency))].sort()
  },
})
