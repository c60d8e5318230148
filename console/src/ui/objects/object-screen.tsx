import { isProblem } from '@flightdeckhq/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeleton } from '../lists/skeleton.tsx'
import { Page } from '../page.tsx'
import { ScreenFailed, ScreenMissing } from './failed.tsx'

type ObjectScreenProps<Of> = { query: UseQueryResult<Of>; children: (object: Of) => ReactNode }

/** The screen of one object: loading, gone, failed, or there. */
export function ObjectScreen<Of>({ query, children }: ObjectScreenProps<Of>) {
  const { data, error, isPending, refetch } = query
  if (data !== undefined && !isProblem(error, 'not_found')) return children(data)
  if (isPending) {
    return (
      <Page title="Loading…">
        <Skeleton rows={6} />
      </Page>
    )
  }
  if (isProblem(error, 'not_found')) return <ScreenMissing />
  return <ScreenFailed error={error} retry={() => void refetch()} />
}
