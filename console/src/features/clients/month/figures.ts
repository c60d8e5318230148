import { queryOptions, useQueries } from '@tanstack/react-query'
import { listKey } from '../../../data/keys.ts'
import { flightdeck, type Schema } from '../../../flightdeck.ts'

export type ClientPacing = Schema<'ClientPacing'>

/** As many ids as the API takes at once. */
const mostIds = 20

export function chunksOf(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / mostIds)
  return Array.from({ length: count }, (_, at) => ids.slice(at * mostIds, (at + 1) * mostIds))
}

const pacingOf = (ids: readonly string[]) =>
  queryOptions({
    queryKey: listKey('client_pacing', { ids }),
    queryFn: async () =>
      flightdeck.pacing
        .listClient({ client_id: [...ids], limit: 100 })
        .toArray({ limit: mostIds * 50 }),
  })

/** Undefined until it is read; a client without a budget or campaigns has none. */
export type Months = {
  of: (id: string) => readonly ClientPacing[] | undefined
  isFailed: boolean
}

/** How the present month goes for some clients, a currency each. */
export const useMonths = (ids: readonly string[]): Months =>
  useQueries({ queries: chunksOf(ids).map(pacingOf), combine: monthsIn })

type Answer = { data?: readonly ClientPacing[] | undefined; isError: boolean }

function monthsIn(answers: Answer[]): Months {
  const rows = answers.flatMap(({ data = [] }) => data)
  const byClient = Map.groupBy(rows, ({ client_id }) => client_id)
  const isRead = answers.every(({ data }) => data !== undefined)
  return {
    of: (id) => byClient.get(id) ?? (isRead ? [] : undefined),
    isFailed: answers.some(({ isError }) => isError),
  }
}

/** Campaigns in all currencies: each has one. */
export const campaignCount = (months: readonly ClientPacing[]): number =>
  months.flatMap(({ campaigns }) => Object.values(campaigns)).reduce((sum, each) => sum + each, 0)
