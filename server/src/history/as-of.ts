import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { type Context, nowIn } from '../kernel/context.ts'
import { checkVersion } from '../kernel/rows.ts'
import { tenantQuery } from '../kernel/tenant-query.ts'
import { inTransaction } from '../kernel/transaction.ts'
import { fault } from '../problems/fault.ts'
import { invalid, Problem } from '../problems/problem.ts'
import { timeIn } from '../query/parameters.ts'
import { type Difference, undo } from '../schema/differences.ts'
import { bodyOf } from '../schema/fields.ts'
import { actionsOf, recordsSql, type VersionedResource } from './versions.ts'

export const asOfParameter = {
  as_of: Type.String({
    format: 'date-time',
    description:
      'The state at this time. 404 for a time before its creation, or for which no records are kept.',
  }),
}

/** The `as_of` time; null for the present, including future times. */
export function readAsOf(ctx: Context, text: string | undefined): string | null {
  const time = timeIn(text, 'as_of')
  return time !== undefined && isBefore(time, nowIn(ctx)) ? time : null
}

/** Years outside 0 to 9999 do not sort as strings. */
const isBefore = (one: string, other: string) => Date.parse(one) < Date.parse(other)

type Present = { id: string; version: number; created_at: string; updated_at: string }

/**
 * The fields of an object that were different at an earlier time, plus version and stamps. Derived
 * fields must be recomputed by the caller.
 */
export async function differencesAt<Shown>(
  ctx: Context,
  resource: VersionedResource,
  { present, time }: { present: Present; time: string },
): Promise<Partial<Shown>> {
  const { id, created_at, updated_at } = present
  if (isBefore(time, created_at)) {
    throw new Problem('not_found', `It was created after that time, at ${created_at}.`)
  }
  if (!isBefore(time, updated_at)) return {}
  const { fields, made } = await historyOf<Shown>(ctx, resource, {
    id,
    isThere: ({ at }) => at <= time,
  })
  if (!made) {
    const { since } = await retentionOf(ctx, resource, id)
    const detail = `Its state at that time is no longer recorded; records begin at ${since ?? updated_at}.`
    throw new Problem('not_found', detail)
  }
  const { version, at: updatedAt, by: updated_by } = made
  return { ...fields, version, updated_at: updatedAt, updated_by }
}

/** Fields that were different at an earlier time, as far back as records are kept. */
export async function fieldsAt<Shown>(
  ctx: Context,
  type: string,
  { id, time }: { id: string; time: string },
): Promise<Partial<Shown>> {
  const { fields } = await historyOf<Shown>(ctx, { type }, { id, isThere: ({ at }) => at <= time })
  return fields
}

/** When and by whom a version was created. */
type Creation = { version: number; at: string; by: string | null }

/** `made` is null if there is no record of the requested version. */
type Past<Shown> = { fields: Partial<Shown>; made: Creation | null }

type AsOfQuery = { id: string; isThere(made: Creation): boolean }
type Subject = Pick<VersionedResource, 'type' | 'table'> | { type: string; table?: never }

/** Undoes changes one by one, newest first, until the version is reached. */
async function historyOf<Shown>(
  ctx: Context,
  subject: Subject,
  { id, isThere }: AsOfQuery,
): Promise<Past<Shown>> {
  const fields: Partial<Shown> = {}
  let next: { version: number; sequence: number } | undefined
  for (let count = readFirst; ; count = readAsOfState) {
    const records = await recordsBefore<Shown>(ctx, subject, {
      id,
      sequence: next?.sequence,
      count,
    })
    for (const { sequence, at, by, changes, newest, is_creation } of records) {
      const version: number = next?.version ?? newest
      if (isThere({ version, at, by })) return { fields, made: { version, at, by } }
      // Objects may be dated back to before one that they refer to: it was then as it began.
      if (is_creation) return { fields, made: null }
      undo(fields, changes)
      next = { version: version - 1, sequence }
    }
    if (records.length < count) return { fields, made: null }
  }
}

// Most requests look back a little. Later batches are bounded, so that others need not wait.
const readFirst = 20
const readAsOfState = 200

type Recorded<Shown> = Omit<Creation, 'version'> & {
  sequence: number
  changes: Difference<Shown>[]
  is_creation: boolean
  /** The current version, read at the same instant. */
  newest: number
}

type UndoneStep = { id: string; sequence: number | undefined; count: number }

function recordsBefore<Shown>(
  ctx: Context,
  { type, table }: Subject,
  { id, sequence = Number.MAX_SAFE_INTEGER, count }: UndoneStep,
): Promise<Recorded<Shown>[]> {
  const newest = table
    ? `(select version from ${table} where organization_id = $1 and id = $2)`
    : '0'
  const text = `
    select sequence, occurred_at as at, actor ->> 'id' as by, changes, ${newest} as newest,
      action like '%.created' as is_creation
    from ${recordsSql} and sequence < $4 order by sequence desc limit ${count}`
  return ctx.reader.query<Recorded<Shown>>(
    tenantQuery(ctx, text, id, actionsOf(ctx, type), sequence),
  )
}

type Retention = { count: number; since: string | null }

const retentionSql = `select count(*) as count, min(occurred_at) as since from ${recordsSql}`

async function retentionOf(
  ctx: Context,
  { type }: VersionedResource,
  id: string,
): Promise<Retention> {
  const [kept] = await ctx.reader.query<Retention>(
    tenantQuery(ctx, retentionSql, id, actionsOf(ctx, type)),
  )
  return kept ?? { count: 0, since: null }
}

export const RevertBody = bodyOf(
  {
    to_version: Type.Integer({
      minimum: 1,
      description: 'A version that is still in the history.',
      examples: [3],
    }),
  },
  { title: 'RevertInput' },
)
export type RevertInput = Type.Static<typeof RevertBody>

/** An object that can be restored to an earlier version. */
export type Revertible<Shown> = VersionedResource & {
  /** Fields that clients can write; the status changes by actions. */
  fields: readonly (keyof Shown)[]
  get(ctx: Context, id: string): Promise<Shown>
  update(ctx: Context, id: string, changes: Partial<Shown>): Promise<Shown>
}

/** Updates the object to its fields at that version, validated like any other update. */
export const revert = <Shown extends Present>(
  ctx: Context,
  resource: Revertible<Shown>,
  { id, to_version: version }: RevertInput & { id: string },
): Promise<Shown> =>
  inTransaction(ctx, async (ctx) => {
    const present = await resource.get(ctx, id)
    checkVersion(ctx, present.version)
    const then = await fieldsOf<Shown>(ctx, resource, { present, version })
    const isOther = (field: keyof Shown) =>
      field in then && !isDeepStrictEqual(then[field], present[field])
    const others = resource.fields.filter(isOther)
    if (others.length === 0) return present
    // Each value was accepted by an earlier update.
    const changes: Partial<Shown> = {}
    for (const field of others) changes[field] = then[field]
    return resource.update(ctx, id, changes)
  })

type Version = { present: Present; version: number }

async function fieldsOf<Shown>(
  ctx: Context,
  resource: VersionedResource,
  { present, version }: Version,
): Promise<Partial<Shown>> {
  const { id } = present
  if (version === present.version) return {}
  const isAhead = version > present.version
  const isThere = (made: Creation) => made.version === version
  const past = isAhead ? null : await historyOf<Shown>(ctx, resource, { id, isThere })
  if (past?.made) return past.fields
  const { count } = await retentionOf(ctx, resource, id)
  const oldest = Math.min(present.version, present.version - count + 1)
  const message = `must be between ${oldest} and ${present.version}`
  const limit = isAhead ? present.version : oldest
  throw invalid([fault('/to_version', 'out_of_range', message, { limit, given: version })])
}
