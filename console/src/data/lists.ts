import type { Page } from '@flightdeckhq/sdk'
import { infiniteQueryOptions, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'

type NextPage<Item> = (cursor: string | undefined) => PromiseLike<Page<Item>>

/** A list that is read page by page while scrolling. */
export const listOptions = <Item>(key: readonly unknown[], page: NextPage<Item>) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: async ({ pageParam }) => page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  })

type Paged = Pick<
  UseInfiniteQueryResult<{ pages: Page<unknown>[] }>,
  'data' | 'hasNextPage' | 'isError' | 'fetchNextPage'
>

/** Reads further pages until there are as many rows, the list ends, or a page fails. */
export async function readUpTo(query: Paged, count: number): Promise<void> {
  let { data, hasNextPage, isError } = query
  const rowCount = () => data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0
  while (hasNextPage && !isError && rowCount() < count)
    ({ data, hasNextPage, isError } = await query.fetchNextPage())
}

/** The rows of all pages read so far. An object that moved between two pages is shown once. */
export function useRows<Item extends { id: string }>({
  data,
}: Pick<UseInfiniteQueryResult<{ pages: Page<Item>[] }>, 'data'>): readonly Item[] {
  return useMemo(() => {
    const rows = new Map<string, Item>()
    for (const page of data?.pages ?? []) for (const row of page.data) rows.set(row.id, row)
    return [...rows.values()]
  }, [data])
}
