import type { Page } from '@flightdeckhq/sdk'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { readUpTo, useRows } from '../../data/lists.ts'
import { Button } from '../button.tsx'
import { Notice, ReadFailed } from '../notice.tsx'
import { mostPrinted, useBeforePrint } from '../printing/printing.ts'
import { CutNote } from './cut-note.tsx'
import styles from './list.module.css'
import { Skeleton } from './skeleton.tsx'
import { type Column, Table } from './table.tsx'

export type ListProps<Row> = {
  caption: string
  query: UseInfiniteQueryResult<{ pages: Page<Row>[] }>
  /** Other rows than those of the pages. */
  rows?: readonly Row[] | undefined
  columns: readonly Column<Row>[]
  sort?: string | undefined
  onSort?: (sort: string) => void
  /** Shown where there is no row. */
  empty: ReactNode
}

/** A list with its states: loading, empty, failed, and full; further pages come while scrolling. */
export function List<Row extends { id: string }>({
  query,
  empty,
  rows: given,
  ...table
}: ListProps<Row>) {
  const read = useRows(query)
  const rows = given ?? read
  useBeforePrint(() => readUpTo(query, mostPrinted))
  const { isPending, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  if (isPending) return <Skeleton rows={8} />
  if (error && rows.length === 0) return <ReadFailed error={error} retry={refetch} />
  if (rows.length === 0) return empty
  return (
    <div className={styles.list}>
      {isSimilar(query) && <Notice title="Nothing has just these words. Similar ones are shown." />}
      <Table rows={rows} {...table} />
      {hasNextPage && <CutNote shown={rows.length} />}
      {hasNextPage && <More isBusy={isFetchingNextPage} load={() => void fetchNextPage()} />}
    </div>
  )
}

const isSimilar = ({ data }: { data?: { pages: Page<unknown>[] } | undefined }): boolean =>
  data?.pages[0]?.meta.search === 'similar'

/** Loads the next page as soon as it comes near the window. */
function More({ isBusy, load }: { isBusy: boolean; load: () => void }) {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && latest.current(),
      { rootMargin: '600px' },
    )
    if (element.current && !isBusy) observer.observe(element.current)
    return () => observer.disconnect()
  }, [isBusy])
  return (
    <div ref={element} className={styles.more}>
      <Button small busy={isBusy} onClick={load}>
        {isBusy ? 'Loading…' : 'Load more'}
      </Button>
    </div>
  )
}
