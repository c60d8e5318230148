import type { Header } from '../../backup/header.ts'
import { facts } from '../table.ts'

/** The facts about a backup that commands print. */
type Contents = {
  created_at: string
  service_version: string
  schema: string | null
  /** Number of rows by table. */
  tables: Record<string, number>
  rows: number
}

export const contentsOf = ({
  created_at,
  service_version,
  migrations,
  tables,
}: Header): Contents => ({
  created_at,
  service_version,
  schema: migrations.at(-1) ?? null,
  tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
})

export const shownContents = (backup: Contents & { file: string; bytes: number }): string =>
  facts({
    File: `${backup.file} (${sizeOf(backup.bytes)})`,
    Created: `${backup.created_at} by Flightdeck ${backup.service_version}`,
    Schema: backup.schema,
    Organizations: backup.tables.organizations,
    Campaigns: backup.tables.campaigns,
    Rows: `${backup.rows} in ${Object.keys(backup.tables).length} tables`,
  })

const sizeOf = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
