import { conflict } from '../problems/problem.ts'
import type { Difference } from '../schema/differences.ts'
import { serviceActor } from '../values/organization.ts'
import type { Context, Ledger, WriteContext } from './context.ts'
import { type AuditEntry, announce, record } from './ledger.ts'
import { tenantQuery } from './tenant-query.ts'

/** The bytes that an organization stores, as its head has them. */
export type StoredBytes = {
  /** The last measurement, and what was written since. */
  readonly bytes: number
  readonly measuredAt: string | null
  /** The limit of the last warning; null while there is room. */
  warnedLimit: number | null
  /** The warning of this transaction. */
  warning: StorageUse | null
}

export type StorageUse = { readonly used: number; readonly limit: number }

/** Actions that free, stop or protect something; of some, only those with these changes. */
export type EvenWhenFull = Readonly<Record<string, true | ((changes: Changes) => boolean)>>

type Changes = readonly Difference[]

export type Storage = {
  bytes: number
  by_kind: Readonly<Record<string, number>>
  measured_at: string
}

export type StorageMeter = {
  /** Measures, at most once a minute, and sets the head right. */
  measure(ctx: Context): Promise<Storage>
  /** The same for a write, which waits two seconds at most, and goes on if it fails. */
  measureForWrite(ctx: Context): Promise<void>
  /** Whether this process has measured within the last minute, or tried to. */
  isMeasured(ctx: Context): boolean
  logWarning(facts: StorageUse & { organization_id: string }): void
  /** Sets where it logs. */
  reportTo(logger: { warn(facts: object, text: string): void }): void
}

/** The share of the limit at which there is a warning, and below which there may be another. */
const warnedShare = 0.8
const roomyShare = 0.7

const oftenMs = 60_000
const rarelyMs = 24 * 60 * 60_000

/** The bytes that the organization may store; null if its plan sets no limit. */
export const storageLimitOf = ({ services, organization }: Context): number | null =>
  services.config.planStorage[organization.plan]

export const isNearlyFull = (bytes: number, limit: number): boolean => bytes >= limit * warnedShare

const isRoomy = (bytes: number, limit: number): boolean => bytes < limit * roomyShare

/** Thrown by a write that needs a measurement first. */
export class StorageUnmeasured extends Error {}

/** Runs the work; where it asks for a measurement, a second time after that. */
export async function withMeasuredStorage<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StorageUnmeasured)) throw error
    await ctx.services.declared.storage.measureForWrite(ctx)
    return work()
  }
}

/** Throws 409 `limit_exceeded` for what adds to more than the plan allows. */
export async function checkStorage(ctx: WriteContext, entry: AuditEntry): Promise<void> {
  const limit = storageLimitOf(ctx)
  if (limit === null || goesOn(ctx, entry)) return
  const { storage } = await ctx.ledger
  if (isMeasurementDue(ctx, storage, limit)) throw new StorageUnmeasured()
  if (storage.bytes + ctx.tx.sentBytes() <= limit) return
  ctx.services.observability.counters.storageRefusals += 1
  throw conflict('limit_exceeded', 'The organization stores all that its plan allows.', {
    resource: 'storage',
    limit,
  })
}

/** The clock and the operator go on, and so does what only says that something was refused. */
function goesOn(
  { services, actor }: Context,
  { action, outcome, changes = [] }: AuditEntry,
): boolean {
  if (actor.type !== 'user' && actor.type !== 'api_key') return true
  if (outcome !== undefined && outcome !== 'success') return true
  const when = services.declared.evenWhenFull[action]
  return when === true || (when?.(changes) ?? false)
}

function isMeasurementDue(ctx: Context, storage: StoredBytes, limit: number): boolean {
  const { bytes, measuredAt } = storage
  const keptMs = isNearlyFull(bytes, limit) ? oftenMs : rarelyMs
  if (isRecent(ctx, measuredAt, keptMs)) return false
  return !ctx.services.declared.storage.isMeasured(ctx)
}

/** Whether the measurement is not too old for its use. */
function isRecent({ services }: Context, measuredAt: string | null, keptMs = rarelyMs): boolean {
  return measuredAt !== null && services.clock.now().getTime() - Date.parse(measuredAt) < keptMs
}

/** The action and event that warn of the limit. */
export const storageWarning = 'organization.storage_nearly_full'

const byTheService = {
  actor: serviceActor,
  request: null,
  reason: null,
  changeSet: null,
} as const

/** Adds a warning to the first transaction after most of the limit is used; once for each limit. */
export async function warnOfStorage(inside: WriteContext, ledger: Ledger): Promise<void> {
  const { storage, records } = ledger
  const limit = storageLimitOf(inside)
  if (records.length === 0) return
  if (limit === null || isRoomy(storage.bytes, limit)) storage.warnedLimit = null
  else if (isNearlyFull(storage.bytes, limit) && storage.warnedLimit !== limit) {
    if (!isRecent(inside, storage.measuredAt)) return
    storage.warnedLimit = limit
    storage.warning = { used: storage.bytes, limit }
    await announceWarning({ ...inside, ...byTheService }, storage.warning)
  }
}

async function announceWarning(ctx: WriteContext, use: { used: number; limit: number }) {
  const { id, name, plan } = ctx.organization
  const resource = { type: 'organization', id, name }
  await record(ctx, { action: storageWarning, resource })
  await announce(ctx, storageWarning, { before: null, after: { id, plan, ...use } })
}

/** Logs and counts a warning that was committed. */
export function reportWarning({ services, organization }: Context, { storage }: Ledger): void {
  const { warning } = storage
  if (!warning) return
  services.observability.counters.storageWarnings += 1
  services.declared.storage.logWarning({ organization_id: organization.id, ...warning })
}

// Relative to what the measurement's snapshot has counted, as writes go on; of two, one counts.
const correctSql = `
  update organization_heads
  set stored_bytes = greatest(0, stored_bytes + $2::bigint), bytes_measured_at = $3
  where organization_id = $1 and bytes_measured_at is not distinct from $4::timestamptz`

/** The state of the head when the measurement was made. */
export type Counted = { bytes: number; measured_at: string | null }

export const correctCount = (ctx: Context, counted: Counted, measured: Storage): Promise<void> =>
  ctx.services.database.transaction(async (tx) => {
    const values = [measured.bytes - counted.bytes, measured.measured_at, counted.measured_at]
    tx.send(tenantQuery(ctx, correctSql, ...values))
  })
