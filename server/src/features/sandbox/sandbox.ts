import { type Changed, change } from '../../kernel/change.ts'
import { type Context, nowText, type WriteContext } from '../../kernel/context.ts'
import { checkVersion, rowsOf } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { checkFaults, conflict } from '../../problems/problem.ts'
import { readTime } from '../../values/times.ts'
import { emptySandbox } from './empty.ts'
import { type ClockInput, maxAheadDays, type Sandbox } from './schema.ts'

export const getSandbox = async (ctx: Context): Promise<Sandbox> =>
  at(ctx, { ahead_ms: (await stored(ctx)).clock_ahead_ms, real: nowText(ctx.services) })

/** Moves the sandbox's clock forward. Whatever becomes due by that runs within about a second. */
export async function moveClock(ctx: Context, body: ClockInput): Promise<Sandbox> {
  const moved = await change(ctx, 'organization.clock_moved', async (ctx) => {
    const before = await toChange(ctx)
    const { ahead_ms, faults } = readMove(body, before)
    checkFaults(ctx, faults)
    return moveTo(ctx, before, ahead_ms)
  })
  await wakeEndpoints(ctx)
  return moved
}

/**
 * Deletes the sandbox's content and returns its clock to real time. The reset's own event has the
 * real time too: a later one would not be delivered until then.
 */
export async function resetSandbox(ctx: Context, tables: readonly string[]): Promise<void> {
  await change(inRealTime(ctx), 'organization.reset', async (ctx) => {
    const before = await toChange(ctx)
    await emptySandbox(ctx, { tables, aheadMs: before.ahead_ms })
    return moveTo(ctx, before, 0)
  })
  await wakeEndpoints(ctx)
}

const inRealTime = (ctx: Context): Context => ({
  ...ctx,
  organization: { ...ctx.organization, clockAheadMs: 0 },
})

/**
 * A clock change makes other deliveries due: send them at once, without waiting for the next poll.
 */
async function wakeEndpoints(ctx: Context): Promise<void> {
  if (ctx.dryRun) return
  const enabled = rowsOf(ctx, 'webhook_endpoints').where('status', '=', 'enabled')
  const endpointIds = (await enabled.select('id').execute()).map(({ id }) => id)
  const organizationId = ctx.organization.id
  ctx.services.signals.emit({ organizationId, endpointIds, touchesCredentials: false })
}

const moveSql = 'update organizations set clock_ahead_ms = $2 where id = $1'

function moveTo(ctx: WriteContext, before: Sandbox, ahead_ms: number): Changed<Sandbox> {
  ctx.tx.send(tenantQuery(ctx, moveSql, ahead_ms))
  return { before, after: at(ctx, { ahead_ms, real: realTime(ctx) }) }
}

/** The real time of the change. */
const realTime = ({ now, organization }: WriteContext): string =>
  new Date(Date.parse(now) - organization.clockAheadMs).toISOString()

/** Reads the stored organization: the authenticated copy may be a second old. */
async function stored(ctx: Context) {
  const row = await ctx.reader
    .kysely()
    .selectFrom('organizations')
    .select(['sandbox', 'clock_ahead_ms', 'version'])
    .where('id', '=', ctx.organization.id)
    .executeTakeFirst()
  if (!row?.sandbox) throw conflict('not_a_sandbox', 'This organization is not a sandbox.')
  return row
}

/** The sandbox has no version of its own: `If-Match` takes the organization's. */
async function toChange(ctx: WriteContext): Promise<Sandbox> {
  const { clock_ahead_ms: ahead_ms, version } = await stored(ctx)
  checkVersion(ctx, version)
  return at(ctx, { ahead_ms, real: realTime(ctx) })
}

type Clocks = { ahead_ms: number; real: string }

const at = ({ organization }: Context, { ahead_ms, real }: Clocks): Sandbox => ({
  id: organization.id,
  now: new Date(Date.parse(real) + ahead_ms).toISOString(),
  ahead_ms,
})

const maxAheadMs = maxAheadDays * 24 * 60 * 60 * 1000

function readMove({ now, advance_seconds }: ClockInput, before: Sandbox) {
  const faults: Fault[] = []
  const pointer = now === undefined ? '/advance_seconds' : '/now'
  const requested = now === undefined ? undefined : readTime(now, pointer)
  if (requested && 'fault' in requested) faults.push(requested.fault)
  if (now === undefined && advance_seconds === undefined) {
    faults.push(fault('/now', 'required', 'or advance_seconds is required'))
  }
  if (now !== undefined && advance_seconds !== undefined) {
    faults.push(fault('/advance_seconds', 'unknown_field', 'cannot be combined with now'))
  }
  const by =
    requested && 'time' in requested
      ? Date.parse(requested.time) - Date.parse(before.now)
      : (advance_seconds ?? 0) * 1000
  const ahead_ms = before.ahead_ms + by
  const given = now ?? advance_seconds
  if (by < 0) faults.push(fault(pointer, 'out_of_range', isBack(before), { given }))
  if (ahead_ms > maxAheadMs) faults.push(fault(pointer, 'out_of_range', isTooFar, { given }))
  return { ahead_ms, faults }
}

const isBack = ({ now }: Sandbox) => `is before the sandbox’s time, ${now}`
const isTooFar = `is more than ${maxAheadDays} days ahead of the real time`
