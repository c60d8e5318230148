import type {
  Amounts,
  ChangeSetSummary,
  SpendDelta,
} from '../../../database/tables/json-columns.ts'
import type { Constraints } from '../../../http/feature.ts'
import type { WriteContext } from '../../../kernel/context.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import { isAgent } from '../../../kernel/people.ts'
import type { Prefetch, RunPart } from '../../../kernel/savepoints.ts'
import { readAhead } from '../../campaigns/bulk/prefetch.ts'
import { campaignRefusals } from '../../campaigns/refusals.ts'
import { clientRefusals } from '../../clients/refusals.ts'
import { changeSetRulesIn } from '../../guardrails/rules.ts'
import { storedRules } from '../../guardrails/stored.ts'
import { profileRefusals } from '../../profiles/refusals.ts'
import { proxyRefusals } from '../../proxies/refusals.ts'
import { templateRefusals } from '../../templates/refusals.ts'
import {
  type Expected,
  isFailed,
  type OperationOutcome,
  summaryOf,
} from '../operations/outcomes.ts'
import { asSent, type Operation } from '../operations/read.ts'
import type { Mode, ReasonForApproval } from '../schema.ts'
import { withNetworkChecks } from './network-checks.ts'
import { raiseMeter } from './raises.ts'
import { runAll } from './run-operations.ts'
import { seenBy } from './seen.ts'
import { type Campaign, isRaisedBeyond, pairsOf, spendDelta } from './spend.ts'

/** The result of running all operations. */
export type Trial = {
  outcomes: readonly OperationOutcome[]
  summary: ChangeSetSummary
  spend_delta: SpendDelta[]
  approval_reasons: ReasonForApproval[]
  applicable: boolean
  /** Raises of what a day can cost, by currency: nothing is netted. */
  raises: Amounts
}

export const refusals: Constraints = {
  ...campaignRefusals,
  ...clientRefusals,
  ...profileRefusals,
  ...proxyRefusals,
  ...templateRefusals,
}

/**
 * Reads in one round trip what the operations will read one by one. Only where campaigns alone change:
 * others have profiles and templates that change on the way.
 */
export async function readAheadOf(
  ahead: Prefetch,
  operations: readonly Operation[],
): Promise<void> {
  if (operations.some(({ resource }) => resource !== 'campaign')) return
  await readAhead(
    ahead,
    operations.map((operation) => asSent(operation, operation.target)),
  )
}

type TrialPlan = {
  mode: Mode
  part: RunPart
  operations: readonly Operation[]
  expected?: ReadonlyMap<number, Expected>
  /** The versions that the objects must have; without them, those that they have. */
  versions?: ReadonlyMap<string, number>
  /** When it is set back, which may raise as well. */
  revertAt?: string | null
}

/** Runs the operations inside the transaction, and sums up what they do. */
export async function tryAll(
  ctx: WriteContext,
  { mode, versions = new Map(), revertAt = null, ...plan }: TrialPlan,
): Promise<Trial> {
  const [ledger, { seen: found, campaigns }, rules, isByAgent] = await Promise.all([
    ctx.ledger,
    seenBy(ctx, plan.operations),
    storedRules(ctx),
    isAgent(ctx, ctx.changeSet?.author.by ?? null),
  ])
  const seen = new Map(
    [...found].map(([id, each]) => [id, { ...each, version: versions.get(id) ?? each.version }]),
  )
  const first = ledger.events.length
  const meter = raiseMeter(campaigns, { now: ctx.now, revertAt })
  const onDone = (events: readonly LedgerEvent[]) => meter.add(events.filter(isOfCampaign))
  const outcomes = await runAll(ctx, { ...plan, seen, isByAgent, onDone })
  const events = ledger.events.slice(first)
  const pairs = pairsOf(campaigns, events.filter(isOfCampaign))
  const { approval, raises_above } = changeSetRulesIn(rules)
  const isRaise = approval === 'raises' && isRaisedBeyond(pairs, raises_above, ctx.now)
  const needsOwn = (ctx.changeSet?.unapproved.size ?? 0) > 0
  return {
    outcomes: withNetworkChecks(outcomes, events),
    summary: summaryOf(outcomes),
    spend_delta: spendDelta(pairs),
    approval_reasons: [
      ...(approval === 'always' ? (['always'] as const) : []),
      ...(isRaise ? (['raises'] as const) : []),
      ...(needsOwn ? (['campaign'] as const) : []),
    ],
    applicable: mode === 'partial' || !outcomes.some(isFailed),
    raises: meter.total(),
  }
}

const isOfCampaign = (event: LedgerEvent): event is LedgerEvent<Campaign> =>
  event.type.startsWith('campaign.')
