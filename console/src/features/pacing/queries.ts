import { queryOptions } from '@tanstack/react-query'
import { listKey, objectKey, partKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import type { OnlyClient } from '../../data/only-client.ts'
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

const filters = [
  ...['q', 'status', 'campaign_status', 'currency'],
  ...['client_id', 'client', 'profile_id', 'label'],
]

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
export const worstPacing = (
  { currency, only }: { currency: string; only: OnlyClient },
  status: readonly Pacing['status'][],
) => {
  const query = {
    ...only,
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
export const pacingCurrencies = (only: OnlyClient) =>
  queryOptions({
    queryKey: listKey('pacing', { ...only, currencies: true }),
    queryFn: async () => {
      const query = { ...only, status: severities.flat(), limit: 100 }
      const { data } = await flightdeck.pacing.list({ ...query, fields: ['currency'] })
      return [...new Set(data.map(({ currency }) => currency))].sort()
    },
  })
