import { eachOf } from '../../../concurrency/each-of.ts'
import { may } from '../../../identity/permissions.ts'
import type { SingletonTask } from '../../../jobs/job.ts'
import {
  actAsSystem,
  type Context,
  nowIn,
  nowText,
  type Services,
  type WriteContext,
} from '../../../kernel/context.ts'
import { actFor } from '../../../kernel/people.ts'
import { findOne, oneOf } from '../../../kernel/rows.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import type { StaleOperation } from '../../../problems/members.ts'
import { isServerFault, Problem, suspended } from '../../../problems/problem.ts'
import { applyChangeSet } from '../apply.ts'
import { moved, recorded, store } from '../change.ts'
import type { ChangeSetRow } from '../present.ts'
import { writeChangeSets } from '../resource.ts'
import { staleIn } from '../stale/stale.ts'
import { isLiving } from '../status.ts'
import { revertChangeSet } from './revert-change-set.ts'

const dueSince = `
  select least(
    (select min(expires_at) from change_sets where status in ('open', 'approved', 'scheduled')),
    (select min(apply_at) from change_sets where status = 'scheduled'),
    (select min(revert_at) from change_sets where status = 'applied' and ended_at is null))`

/** Applies, sets back and expires change sets when they are due. */
export const timedChangeSets: SingletonTask = {
  name: 'change-sets.timed',
  everyMs: 500,
  work: [{ name: 'change_sets', dueSince: dueSince }],
  run: runDue,
}

const maxFound = 100

const dueIn = (now: string) => `
  c.status in ('open', 'approved', 'scheduled') and c.expires_at <= ${now}
    or c.status = 'scheduled' and c.apply_at <= ${now}
    or c.status = 'applied' and c.ended_at is null and c.revert_at <= ${now}`

// Spans all organizations; each branch has its own index. The last covers sandboxes whose clock is
// ahead.
const dueSql = `
  select organization_id, id from (
    (select organization_id, id, expires_at as due from change_sets
      where status in ('open', 'approved', 'scheduled') and expires_at <= $1
      order by expires_at limit $2)
    union
    (select organization_id, id, apply_at from change_sets
      where status = 'scheduled' and apply_at <= $1 order by apply_at limit $2)
    union
    (select organization_id, id, revert_at from change_sets
      where status = 'applied' and ended_at is null and revert_at <= $1
      order by revert_at limit $2)
    union
    (select c.organization_id, c.id, t.now from organizations o
      cross join lateral (
        select $1::timestamptz + o.clock_ahead_ms * interval '1 millisecond' as now) t
      join change_sets c on c.organization_id = o.id and c.ended_at is null
      where o.clock_ahead_ms > 0 and (${dueIn('t.now')}) limit $2)
  ) as found
  order by due limit $2`

type Due = { organization_id: string; id: string }

export async function runDue(services: Services, signal: AbortSignal): Promise<void> {
  const parameters = [nowText(services), maxFound]
  const due = await services.database.reader.query<Due>({ sql: dueSql, parameters, ofAll: true })
  await eachOf(due, { signal }, ({ organization_id, id }) => runOne(services, organization_id, id))
}

async function runOne(services: Services, organizationId: string, id: string): Promise<void> {
  const ctx = await actAsSystem(services, organizationId, 'Flightdeck')
  const row = ctx && (await findOne(ctx, 'change_sets', id))
  if (!row) return
  const now = nowIn(ctx)
  const isDue = (time: string | null) => time !== null && time <= now
  if (isLiving(row.status) && isDue(row.expires_at)) await expire(ctx, id)
  else if (row.status === 'scheduled' && isDue(row.apply_at)) await applyByClock(ctx, row)
  else if (row.status === 'applied' && isDue(row.revert_at)) await revertChangeSet(ctx, id)
}

/** With the rights that the one who gave it its time has now. */
async function applyByClock(ctx: Context, { id, timed_by }: ChangeSetRow): Promise<void> {
  const person = timed_by === null ? undefined : await actFor(ctx, timed_by)
  try {
    if (ctx.organization.status === 'suspended') throw suspended()
    if (!person || !may(person, writeChangeSets)) throw withoutRights()
    await applyChangeSet(person, id)
  } catch (error) {
    if (!(error instanceof Problem) || isServerFault(error.status)) throw error
    await fail(ctx, id, error)
    for (const note of ctx.services.declared.onRefusal) await note(person ?? ctx, error)
  }
}

const withoutRights = () =>
  new Problem('insufficient_role', 'Who gave it its time may not apply it any more.')

const fail = (ctx: Context, id: string, { code, message }: Problem) =>
  end(ctx, id, async (ctx) => {
    const stale = (await staleIn(ctx, [id]))(id)
    const failure = { code, detail: message }
    return { action: 'change_set.failed', columns: { status: 'failed', failure }, stale }
  })

const expire = (ctx: Context, id: string) =>
  end(ctx, id, async () => ({ action: 'change_set.expired', columns: { status: 'expired' } }))

type End = { action: string; columns: Partial<ChangeSetRow>; stale?: StaleOperation[] }

/** Looks again: one that was decided on in the meantime stays as it is. */
async function end(ctx: Context, id: string, ending: (ctx: WriteContext) => Promise<End>) {
  await inTransaction(ctx, async (ctx) => {
    const row = await oneOf(ctx, 'change_sets', id)
    if (!isLiving(row.status)) return
    const { action, columns, stale = [] } = await ending(ctx)
    const after = moved(ctx, row, columns)
    store(ctx, row, after)
    await recorded(ctx, { action, before: row, after, stale })
  })
}
