import type { ChangeSetFacts, Context, WriteContext } from '../../kernel/context.ts'
import { nowIn } from '../../kernel/context.ts'
import { checkCap } from '../../kernel/quotas.ts'
import { firstStamps, insert } from '../../kernel/rows.ts'
import { withSavepoints } from '../../kernel/savepoints.ts'
import { inTransaction, throwIfReplayed } from '../../kernel/transaction.ts'
import { invalid, maxFaults, Problem } from '../../problems/problem.ts'
import { newId } from '../../values/ids.ts'
import { recorded } from './change.ts'
import { type Operation, readOperations } from './operations/read.ts'
import { failuresOf, insertOperations } from './operations/rows.ts'
import type { ChangeSetInput } from './operations/schema.ts'
import type { ChangeSetRow } from './present.ts'
import { cap, changeSetIds } from './resource.ts'
import { type ChangeSet, defaultHours, type Mode } from './schema.ts'
import { livingStatus } from './status.ts'
import { expiryOf, readTimes } from './timed/times.ts'
import { readAheadOf, refusals, type Trial, tryAll } from './trial/trial.ts'

/** A request with its operations read. */
export type Proposal = Omit<ChangeSetInput, 'operations'> & { operations: readonly Operation[] }

/** Tries out the operations of a request, and stores them with what they would do. */
export async function proposeChangeSet(
  ctx: Context,
  { operations: given, ...rest }: ChangeSetInput,
): Promise<ChangeSet> {
  await throwIfReplayed(ctx)
  const now = nowIn(ctx)
  const { faults } = readTimes(rest, noTimes, now)
  const operations = await readOperations(ctx, given).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error
    faults.push(...error.faults)
    return []
  })
  if (faults.length > 0) throw invalid(faults.slice(0, maxFaults))
  return propose(ctx, { ...rest, operations })
}

const noTimes = { apply_at: null, revert_at: null }

export async function propose(ctx: Context, proposal: Proposal): Promise<ChangeSet> {
  const { operations, mode = 'atomic' } = proposal
  const id = newId(changeSetIds)
  const author = { by: ctx.actor.id, at: nowIn(ctx) }
  const trial = await tryOut(ctx, { id, author, mode, operations })
  return inTransaction(ctx, async (ctx) => {
    await checkCap(ctx, cap)
    const row = rowOf(ctx, { id, proposal, trial })
    const { summary, spend_delta, envelope_use: _, ...columns } = row
    insert(ctx, 'change_sets', {
      ...columns,
      summary: JSON.stringify(summary),
      spend_delta: JSON.stringify(spend_delta),
      failure: null,
    })
    await insertOperations(ctx, id, trial.outcomes)
    const failures = failuresOf(ctx, trial.outcomes)
    return recorded(ctx, { action: 'change_set.created', before: null, after: row, failures })
  })
}

type Trying = {
  id: string
  author: ChangeSetFacts['author']
  mode: Mode
  operations: readonly Operation[]
}

/** In a transaction that is rolled back: what others store in the meantime shows by its version. */
export function tryOut(ctx: Context, { id, author, ...plan }: Trying): Promise<Trial> {
  const dryRun = { object: undefined, warnings: [] }
  return withSavepoints(
    { ...ctx, ifMatch: null, idempotency: null, dryRun },
    {
      refusals,
      readAhead: (ahead) => readAheadOf(ahead, plan.operations),
      work: (ctx, part) => {
        const changeSet = { id, author, approver: null, unapproved: new Set<string>() }
        return tryAll({ ...ctx, changeSet }, { ...plan, part })
      },
    },
  )
}

type TriedProposal = { id: string; proposal: Proposal; trial: Trial }

function rowOf(ctx: WriteContext, { id, proposal, trial }: TriedProposal): ChangeSetRow {
  const { title, description = null, source, mode = 'atomic' } = proposal
  const { expires_in_hours = defaultHours, operations } = proposal
  const stamps = firstStamps(ctx)
  const { times } = readTimes(proposal, noTimes, ctx.now)
  const found = foundBy(ctx, trial)
  const approved = { approved_by: null, approved_at: null }
  return {
    organization_id: ctx.organization.id,
    id,
    title,
    description,
    source_kind: source?.kind ?? 'api',
    source_reference: source?.reference ?? null,
    mode,
    status: livingStatus({ ...found, ...times, ...approved }),
    operation_count: operations.length,
    ...found,
    expires_in_hours,
    expires_at: expiryOf({ ...times, ...stamps, expires_in_hours }),
    ...times,
    timed_by: isTimed(times) ? ctx.actor.id : null,
    ...approved,
    rejected_by: null,
    rejected_reason: null,
    applied_by: null,
    applied_at: null,
    reverted_at: null,
    failure: null,
    envelope_use: null,
    ended_at: null,
    ...stamps,
  }
}

export const isTimed = ({ apply_at, revert_at }: Pick<ChangeSetRow, 'apply_at' | 'revert_at'>) =>
  apply_at !== null || revert_at !== null

/** The columns that a trial fills. */
export function foundBy({ now }: WriteContext, trial: Trial) {
  const { summary, spend_delta, approval_reasons, applicable } = trial
  return {
    summary,
    spend_delta,
    approval_required: approval_reasons.length > 0,
    approval_reasons,
    applicable,
    tried_at: now,
  }
}
