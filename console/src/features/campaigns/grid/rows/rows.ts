import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { cache } from '../../../../data/cache.ts'
import { readUpTo, useRows } from '../../../../data/lists.ts'
import { flightdeck, type Schema } from '../../../../flightdeck.ts'
import type { Field, GridRow } from '../columns/column.ts'
import { forgetBefore, useKnownRows } from '../known.ts'
import type { GridQuery } from '../views/query.ts'

type GridPage = { data: GridRow[]; meta: Schema<'CampaignList'>['meta'] }

const pageSize = 100
/** Rows read ahead of those in sight: some screens of the fastest scrolling. */
const aheadRows = 500

/** No list of the cache's events: a hundred pages are not read again for one change. */
const optionsOf = (query: GridQuery, fields: readonly Field[]) =>
  infiniteQueryOptions({
    queryKey: ['campaigns grid', query],
    queryFn: async ({ pageParam, signal }): Promise<GridPage> =>
      flightdeck.campaigns.list(
        {
          ...query,
          fields: [...fields],
          limit: pageSize,
          cursor: pageParam,
          include_total: pageParam === undefined ? true : undefined,
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })

export type GridRows = ReturnType<typeof useGridRows>

/** The rows of the list as far as they were read, and the ways to read more. */
export function useGridRows(query: GridQuery, fields: readonly Field[]) {
  const options = optionsOf(query, fields)
  const result = useInfiniteQuery(options)
  const { data, error, hasNextPage, isFetching, isPending, isPlaceholderData } = result
  const { fetchNextPage, refetch } = result
  const asRead = useRows(result)
  const rows = useKnownRows(asRead)
  const isWaiting = isFetching || !hasNextPage || error !== null
  /** Called with the last row in sight. */
  const readAhead = useCallback(
    (last: number) => {
      if (!isWaiting && last + aheadRows > rows.length) void fetchNextPage()
    },
    [isWaiting, rows.length, fetchNextPage],
  )
  /** Reads again as many pages as are needed to show the row, and only then replaces the rows. */
  const reload = async (last: number): Promise<void> => {
    const at = performance.now()
    const pages = Math.floor(Math.max(0, last) / pageSize) + 1
    await cache.fetchInfiniteQuery({ ...options, staleTime: 0, pages })
    forgetBefore(at)
  }
  const [firstPage] = data?.pages ?? []
  const total = hasNextPage ? Math.max(firstPage?.meta.total ?? 0, rows.length) : rows.length
  const isEstimate = hasNextPage && firstPage?.meta.total_is_estimate === true
  const isLacking = lacks(firstPage?.data[0], fields) && !isFetching
  return {
    rows,
    /** As they were when the list was read: what put them in order. */
    asRead,
    /** In all; those not read yet have their place in the grid. */
    total,
    isEstimate,
    isSimilar: firstPage?.meta.search === 'similar',
    error,
    isPending,
    isPlaceholderData,
    isLacking,
    isComplete: !hasNextPage,
    pages: data?.pages.length ?? 0,
    readAhead,
    readUpTo: (count: number) => readUpTo(result, count),
    reload,
    retry: () => void (rows.length === 0 ? refetch() : fetchNextPage()),
  }
}

/** Columns shown since the rows were read have fields that these lack. */
const lacks = (row: GridRow | undefined, fields: readonly Field[]): boolean =>
  row !== undefined && fields.some((field) => !Object.hasOwn(row, field))

export function useMissingFields({ isLacking, reload }: GridRows, last: () => number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when something begins to lack.
  useEffect(() => {
    if (isLacking) void reload(last()).catch(() => {})
  }, [isLacking])
}
