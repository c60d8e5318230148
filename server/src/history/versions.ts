import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Row, TenantTable } from '../database/tables/tenant-tables.ts'
import type { Context } from '../kernel/context.ts'
import { tenantQuery } from '../kernel/tenant-query.ts'
import { notFound } from '../problems/problem.ts'
import type { Filter } from '../query/filters.ts'
import {
  joinedPageOf,
  type ListShape,
  listParameters,
  type Page,
  type Query,
} from '../query/list.ts'
import { cursorParameter } from '../query/walk.ts'
import { ActorOrNull } from '../schema/actor.ts'
import { orNull, pageOfSchema, text, time, Version } from '../schema/fields.ts'

/**
 * Past states are stored only as audit records. Each change writes one record and increments the
 * version: the newest record made the current version, the one before it the previous version, as
 * far back as records are kept.
 */
export type VersionedResource = {
  /** The first part of its action names. */
  type: string
  table: TenantTable
}

const HistoryEntry = Type.Object(
  {
    version: Version,
    at: time('When the change was made.'),
    actor: ActorOrNull,
    action: text('What was done, as in the audit log.'),
    reason: orNull(text('Why, as in the audit log.')),
    changes: Type.Array(
      Type.Object({
        field: text('Name of the field.'),
        before: Type.Unknown({ description: 'Value before; null if there was none.' }),
        after: Type.Unknown({ description: 'Value after.' }),
      }),
      { description: 'The changed fields.' },
    ),
  },
  { title: 'HistoryEntry' },
)
export type HistoryEntry = Type.Static<typeof HistoryEntry>

export const History = pageOfSchema(HistoryEntry)

/** Only actions with an event change the object; other records leave it unchanged. */
export const actionsOf = ({ services }: Context, type: string): string[] =>
  services.declared.versionTypes.filter((name) => name.startsWith(`${type}.`))

/** Change records of one object: `$1` organization, `$2` its id, `$3` their actions. */
export const recordsSql = `audit_logs
    where organization_id = $1 and resource ->> 'id' = $2
      and outcome = 'success' and action = any($3)`

/** A version and the record that created it. */
type VersionPlace = { version: number; sequence: number }

const ofObject: Filter = {
  schema: Type.String(),
  read: ([id]) => ({ condition: sql<boolean>`resource ->> 'id' = ${id}` }),
}

/**
 * New records would shift the version numbers: a walk covers the versions that existed when it
 * began.
 */
const maxVersion: Filter = {
  schema: Type.String(),
  read: ([text = '']) => ({ condition: sql<boolean>`sequence <= ${placeIn(text).sequence}` }),
}

const listOf = (ctx: Context, { type }: VersionedResource): ListShape<'audit_logs'> => ({
  table: 'audit_logs',
  filters: { object: ofObject, place: maxVersion },
  sorts: ['sequence'],
  wide: ['changes'],
  standing: () =>
    sql<boolean>`outcome = 'success' and action = any(${actionsOf(ctx, type)}::text[])`,
})

const { sort: _, ...paging } = listParameters({ table: 'audit_logs', filters: {}, sorts: ['-'] })
export const historyParameters = (resource: Pick<VersionedResource, 'type'>) => ({
  ...paging,
  cursor: cursorParameter(cursorName(resource)),
})

type HistoryQuery = { id: string; query: Query }

/** Versions of one object, newest first. */
export async function historyOf(
  ctx: Context,
  resource: VersionedResource,
  { id, query }: HistoryQuery,
): Promise<Page<HistoryEntry>> {
  const newest = await newestOf(ctx, resource, id)
  const start =
    query.cursor === undefined ? startAt(newest) : fromCursor(ctx, resource, query.cursor)
  const { version, sequence } = placeIn(start.place)
  const { data, meta } = await joinedPageOf(ctx, {
    list: listOf(ctx, resource),
    query: { ...query, ...start, object: id },
    presentAll: (rows) => rows.map((row, at) => entryOf(row, version - at)),
  })
  // Faults of the query take precedence.
  if (!newest) throw notFound()
  const behind = { sequence, version: version - data.length }
  return {
    data,
    meta: { ...meta, next_cursor: nextCursor(ctx, resource, { cursor: meta.next_cursor, behind }) },
  }
}

type VersionHead = { version: number; sequence: number | null }

/** Read in one statement, so that both belong together. */
const newestSql = (table: string) => `
  select version,
    (select sequence from ${recordsSql} order by sequence desc limit 1) as sequence
  from ${table} where organization_id = $1 and id = $2`

async function newestOf(ctx: Context, { type, table }: VersionedResource, id: string) {
  const [head] = await ctx.reader.query<VersionHead>(
    tenantQuery(ctx, newestSql(table), id, actionsOf(ctx, type)),
  )
  return head && { version: head.version, sequence: head.sequence ?? 0 }
}

// A cursor of the audit log, extended by the version at its position.

const startAt = (newest: VersionPlace | undefined) => ({ place: newest ? placeText(newest) : '' })

const placeText = ({ sequence, version }: VersionPlace): string => `${sequence} ${version}`

function placeIn(text: string): VersionPlace {
  const [sequence = 0, version = 0] = text.split(' ').map(Number)
  return { sequence, version }
}

const cursorName = ({ type }: Pick<VersionedResource, 'type'>) => `${type}_history`

/** An invalid cursor is left for the list to refuse. */
function fromCursor(ctx: Context, resource: VersionedResource, cursor: string) {
  const state = ctx.services.crypto.cursors.read(cursor)
  if (state?.resource !== cursorName(resource)) return { cursor, place: '' }
  const inner = ctx.services.crypto.cursors.write({ ...state, resource: 'audit_logs' })
  return { cursor: inner, place: String(state.filters.place ?? '') }
}

type NextPage = { cursor: string | null; behind: VersionPlace }

function nextCursor(
  ctx: Context,
  resource: VersionedResource,
  { cursor, behind }: NextPage,
): string | null {
  const state = cursor === null ? undefined : ctx.services.crypto.cursors.read(cursor)
  if (!state) return null
  const filters = { ...state.filters, place: placeText(behind) }
  return ctx.services.crypto.cursors.write({ ...state, resource: cursorName(resource), filters })
}

function entryOf(row: Row<'audit_logs'>, version: number): HistoryEntry {
  const { occurred_at, actor, action, reason, changes } = row
  return { version, at: occurred_at, actor, action, reason, changes }
}
