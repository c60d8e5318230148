import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listKey, objectKey, partKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'
import type { Facts } from './page/changed-value.tsx'

export type ChangeSet = Schema<'ChangeSet'>
export type ChangeSetOperation = Schema<'ChangeSetOperation'>

const filters = ['status', 'created_by', 'source']

export function changeSetList(search: Search) {
  const query = queryOf(search, filters)
  return listOptions(listKey('change_sets', query), (cursor) =>
    flightdeck.changeSets.list({ ...query, cursor, limit: 50 }),
  )
}

export const changeSetQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('change_sets', id),
    queryFn: async () => flightdeck.changeSets.get(id),
    // Each read checks again what has changed since the trial.
    staleTime: 0,
  })

/** A connector answers without an event: it is read again while a network is asked. */
const askedMs = 5_000

export const operationList = (id: string) =>
  infiniteQueryOptions({
    ...listOptions(partKey('change_sets', id, 'operations'), (cursor) =>
      flightdeck.changeSets.listOperations(id, { cursor, limit: 100 }),
    ),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(isAsked)) ? askedMs : false,
  })

const isAsked = ({ network_check }: ChangeSetOperation) => network_check?.outcome === 'open'

const facts = ['id', 'name', 'currency', 'currency_exponent', 'time_zone'] as const

/**
 * Currency and zone of the campaigns that operations are about, to show amounts and times; or all of
 * them that there is.
 */
export const campaignFacts = (ids: readonly string[], isWhole = false) =>
  queryOptions({
    queryKey: ['campaigns', 'facts', ids, isWhole],
    queryFn: async () => {
      const { data } = await flightdeck.campaigns.list({
        id: [...ids],
        include_archived: true,
        limit: 100,
        ...(!isWhole && { fields: [...facts] }),
      })
      return new Map<string, Facts & { name: string }>(
        data.map((campaign) => [campaign.id, campaign]),
      )
    },
    enabled: ids.length > 0,
  })
