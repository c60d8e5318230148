import { may } from '../../../identity/permissions.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { announce, record } from '../../../kernel/ledger.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import type { Fault } from '../../../problems/fault.ts'
import { Refusal } from '../../../problems/problem.ts'
import type { Fields } from '../../../schema/differences.ts'
import { ExactNumber } from '../../../values/exact-number.ts'
import { toMajor } from '../../../values/money.ts'
import { overrideGuardrails } from '../../guardrails/resource.ts'
import type { Details } from '../present.ts'
import type { ReviewColumns } from '../review.ts'
import { dailyCost, isRaise } from './daily-cost.ts'
import type { GuardrailBlock, GuardrailRule } from './event.ts'
import {
  type Breach,
  breachesOfChange,
  breachesOfRun,
  type CampaignChange,
  isRunning,
  passedWith,
} from './rules.ts'

/**
 * The outcome of a check: the override reason, if one was used, and the columns it leaves on the
 * row.
 */
type Decision = {
  reason: string | null
  marks: Pick<ReviewColumns, 'overridden' | 'daily_cost_minor'>
}

export const allowed: Decision = { reason: null, marks: {} }

/** For every write that sets a budget or changes the daily cost. */
export async function checkBudget(ctx: WriteContext, setting: CampaignChange): Promise<Decision> {
  const { reason, marks } = decide(ctx, setting, await breachesOfChange(ctx, setting))
  return { reason, marks: { ...marks, ...costAfter(ctx, setting) } }
}

/** For every transition into running: launch, resume, approval. */
export async function checkRun(ctx: WriteContext, row: Details): Promise<Decision> {
  const setting = { before: row, after: row, body: {} }
  const daily_cost_minor = dailyCost(row, ctx.now)
  const { reason, marks } = decide(ctx, setting, await breachesOfRun(ctx, row, daily_cost_minor))
  return { reason, marks: { ...marks, daily_cost_minor } }
}

/** The accepted cost stands until a change raises it; an approaching end date alone does not. */
function costAfter({ now }: WriteContext, { before, after }: CampaignChange): Decision['marks'] {
  if (!isRunning(before)) return {}
  const cost = dailyCost(after, now)
  const counted = before.daily_cost_minor ?? cost
  return { daily_cost_minor: isRaise(before, after, now) ? cost : Math.min(counted, cost) }
}

/** A reason overrides the organization's guardrails, but never a profile's cap. */
function decide(
  ctx: WriteContext,
  { before, after, body }: CampaignChange,
  breaches: Breach[],
): Decision {
  const [first] = breaches
  if (!first) return allowed
  const isFirm = breaches.some(({ rule }) => rule === 'profile_daily_budget_cap')
  if (ctx.override !== null && !isFirm && may(ctx, overrideGuardrails)) {
    const { reason, override } = ctx
    const overridden = passedWith(after, breaches)
    return {
      reason: reason === null ? override : `${reason} (override: ${override})`,
      marks: overridden ? { overridden } : {},
    }
  }
  const blockFor = (breach: Breach) => blockOf(after, breach, before === null)
  const block = blockFor(first)
  const { rule, limit, requested, currency } = block
  throw new Refusal('guardrail_violation', summaryOf(block, after), {
    members: { rule, limit, requested, currency },
    faults: breaches.map((breach) => faultOf(blockFor(breach), after, body)),
    record: (ctx: Context) => inTransaction(ctx, (ctx) => recordBlock(ctx, block)),
  })
}

function summaryOf({ rule, limit, requested, currency }: GuardrailBlock, row: Details): string {
  if (rule === 'unlisted_currency') {
    return `${rule}: the guardrails list no amount for ${currency}, and unlisted currencies are refused.`
  }
  // The client did not send this amount: it is derived from the lifetime budget.
  const aDay = rule === 'max_daily_budget' && row.daily_budget_minor === null ? ' per day' : ''
  return `${rule}: ${requested} ${currency}${aDay} exceeds ${limit}.`
}

/** A broken rule as a fault, at the body's field that breaks it if there is one. */
function faultOf(block: GuardrailBlock, row: Details, body: Fields): Fault {
  const { rule, limit, requested, currency } = block
  const facts = { message: summaryOf(block, row), limit, rule, requested, currency }
  const field = fieldsBehind(rule, row).find((name) => Object.hasOwn(body, name))
  if (field === undefined) return { pointer: '', code: 'guardrail_violation', ...facts }
  const given = body[field]
  return { pointer: `/${field}`, code: 'out_of_range', ...facts, given: asSent(given) }
}

/** Fields that the rule compares, the most likely cause first. */
function fieldsBehind(rule: GuardrailRule, { daily_budget_minor: daily }: Details): string[] {
  if (rule === 'max_lifetime_budget') return ['lifetime_budget']
  const ofCost =
    daily === null
      ? ['lifetime_budget', 'daily_budget', 'end_at', 'start_at', 'schedule', 'time_zone']
      : ['daily_budget']
  return rule === 'unlisted_currency' ? ['currency', ...ofCost] : ofCost
}

/** A number beyond double precision is represented by its source text. */
const asSent = (given: unknown) => (given instanceof ExactNumber ? given.text : given)

export function blockOf(row: Details, breach: Breach, isNew = false): GuardrailBlock {
  return {
    campaign_id: isNew ? null : row.id,
    name: row.name,
    profile_id: row.profile_id,
    rule: breach.rule,
    limit: toMajor(breach.limit, row.currency_exponent),
    requested: toMajor(breach.requested, row.currency_exponent),
    currency: row.currency,
  }
}

export async function recordBlock(ctx: WriteContext, block: GuardrailBlock): Promise<void> {
  const { campaign_id: id, name, rule, limit, requested } = block
  const resource = { type: 'campaign', id, name }
  const changes = [{ field: rule, before: limit, after: requested }]
  await record(ctx, { action: 'guardrail.blocked', outcome: 'denied', resource, changes })
  await announce(ctx, 'guardrail.blocked', { before: null, after: block })
}
