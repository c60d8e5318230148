import { queryOptions } from '@tanstack/react-query'
import { listKey, objectKey, partKey } from '../../data/keys.ts'
import { listOptions } from '../../data/lists.ts'
import { queryOf, type Search } from '../../data/search.ts'
import { flightdeck, type Schema } from '../../flightdeck.ts'

export type Report = Schema<'Report'>

export function reportList(search: Search) {
  const query = queryOf(search, ['q', 'client_id', 'sort'])
  return listOptions(listKey('reports', query), (cursor) =>
    flightdeck.reports.list({ ...query, cursor, limit: 50 }),
  )
}

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: objectKey('reports', id),
    queryFn: async () => flightdeck.reports.get(id),
  })

export const clientQuery = (id: string | null) =>
  queryOptions({
    queryKey: objectKey('clients', id ?? ''),
    queryFn: async () => flightdeck.clients.get(id ?? ''),
    enabled: id !== null,
  })

/** The page as HTML: of now, or of a snapshot. */
export const pageQuery = (id: string, snapshot?: string) =>
  queryOptions({
    queryKey: partKey('reports', id, 'page', { snapshot }),
    queryFn: async () => {
      const { reports } = flightdeck
      const { html } = await (snapshot === undefined
        ? reports.getPage(id)
        : reports.getSnapshotPage(id, snapshot))
      return html
    },
    // Results move what it shows.
    staleTime: 0,
  })

const ofReport = (id: string) => ({ report_id: id })

export const snapshotList = (id: string) =>
  listOptions(listKey('report_snapshots', ofReport(id)), (cursor) =>
    flightdeck.reports.listSnapshots(id, { cursor, limit: 50 }),
  )

export const linkList = (id: string) =>
  listOptions(listKey('report_links', ofReport(id)), (cursor) =>
    flightdeck.reports.listLinks(id, { cursor, limit: 50 }),
  )

export const scheduleList = (id: string) =>
  listOptions(listKey('report_schedules', ofReport(id)), (cursor) =>
    flightdeck.reports.listSchedules(id, { cursor, limit: 50 }),
  )
