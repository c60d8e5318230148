import type { WriteContext } from '../../kernel/context.ts'
import { type Fault, Refusal } from '../../kernel/errors.ts'
import { guardrailsIn, hundredthsOf } from '../../kernel/guardrails.ts'
import { announce, record } from '../../kernel/ledger.ts'
import { majorOf } from '../../kernel/money.ts'
import { inTransaction } from '../../kernel/transactions.ts'
import { spendableInADay } from './approval.ts'
import { spendableADayAgo } from './budget-past.ts'
import type { GuardrailBlock, GuardrailRule } from './guardrail-event.ts'
import type { Details } from './present.ts'

/** Amounts in minor units. */
type Breach = { rule: GuardrailRule; limit: number; requested: number }

/** What a campaign was and shall be, and the body that asks for it; `before` is null for a new one. */
type Setting = { before: Details | null; after: Details; body: object }

/** How a change passes: why, where a reason lets it through, and what is left of that on the row. */
type Passage = { reason: string | null; marks: { overridden_minor?: number | null } }

export const unhindered: Passage = { reason: null, marks: {} }

const launched = new Set(['scheduled', 'active', 'paused'])
const running = new Set(['scheduled', 'active'])

/** For every write that sets a budget. */
export async function checkBudget(ctx: WriteContext, setting: Setting): Promise<Passage> {
  const found = [...(await dailyBreaches(ctx, setting)), ...(await increaseBreaches(ctx, setting))]
  return judge(ctx, setting, found)
}

/** For every way into running: launch, resume, approval. */
export async function checkRun(ctx: WriteContext, row: Details): Promise<Passage> {
  const found = [await profileBreach(ctx, row), capBreach(row)]
  return judge(ctx, { before: row, after: row, body: {} }, found)
}

type Found = readonly (Breach | undefined)[]

/** The caps are about daily budgets, also where a lifetime budget is larger. */
async function dailyBreaches(ctx: WriteContext, { before, after }: Setting): Promise<Found> {
  const was = before?.daily_budget_minor ?? null
  const wanted = after.daily_budget_minor
  const isSame = was === wanted && before?.currency === after.currency
  if (wanted === null || isSame) return []
  const isRaised = was === null || wanted > was
  const joinsRunning = isRaised && before !== null && running.has(before.status)
  return [joinsRunning ? await profileBreach(ctx, after) : undefined, capBreach(after)]
}

/** A change between kinds of budgets is a raise as well, where more may go in a day. */
async function increaseBreaches(ctx: WriteContext, { before, after }: Setting): Promise<Found> {
  if (!before || !launched.has(before.status)) return []
  const [was, requested] = [spendableInADay(before), spendableInADay(after)]
  if (was === null || requested === null || requested <= was) return []
  return [increaseBreach(before, requested), await dayBreach(ctx, before, requested)]
}

/** At its start: a campaign that was let past the cap as it is stays so. */
export function startBreach(row: Details): Breach | undefined {
  const breach = capBreach(row)
  return breach && breach.requested > (row.overridden_minor ?? 0) ? breach : undefined
}

function capBreach(row: Details): Breach | undefined {
  const requested = row.daily_budget_minor
  const limit = guardrailsIn(row.guardrails).max_daily_budget[row.currency]
  if (requested === null || limit === undefined || requested <= limit) return undefined
  return { rule: 'max_daily_budget', limit, requested }
}

function increaseBreach(before: Details, requested: number): Breach | undefined {
  const { max_increase_percent: percent } = guardrailsIn(before.guardrails)
  const base = spendableInADay(before)
  return beyond(base, percent, { rule: 'max_increase_percent', requested })
}

async function dayBreach(ctx: WriteContext, before: Details, requested: number) {
  const { max_increase_percent_24h: percent } = guardrailsIn(before.guardrails)
  if (percent === null) return undefined
  const base = await spendableADayAgo(ctx, before)
  return beyond(base, percent, { rule: 'max_increase_percent_24h', requested })
}

function beyond(
  base: number | null,
  percent: number | null,
  { rule, requested }: Omit<Breach, 'limit'>,
): Breach | undefined {
  if (base === null || percent === null) return undefined
  const limit = Number((BigInt(base) * (100_00n + hundredthsOf(percent))) / 100_00n)
  return requested > limit ? { rule, limit, requested } : undefined
}

const runningSumSql = `
  select coalesce(sum(daily_budget_minor), 0)::bigint as sum from campaigns
  where organization_id = $1 and profile_id = $2 and id <> $3 and status in ('scheduled', 'active')`

/** Exact also for many at once: an organization has one writer at a time. */
async function profileBreach(ctx: WriteContext, row: Details): Promise<Breach | undefined> {
  const { profile_cap_minor: limit, daily_budget_minor: own } = row
  if (limit === null || own === null) return undefined
  const parameters = [ctx.organization.id, row.profile_id, row.id]
  const [others] = await ctx.reader.query<{ sum: number }>({ sql: runningSumSql, parameters })
  const requested = (others?.sum ?? 0) + own
  return requested > limit ? { rule: 'profile_daily_budget_cap', limit, requested } : undefined
}

/** A reason lets the organization's guardrails be passed, but no profile's cap. */
function judge(ctx: WriteContext, { before, after, body }: Setting, found: Found): Passage {
  const breaches = found.filter((each) => each !== undefined)
  const [first] = breaches
  if (!first) return unhindered
  const isAbout = (name: GuardrailRule) => breaches.some(({ rule }) => rule === name)
  if (ctx.override !== null && !isAbout('profile_daily_budget_cap')) {
    const { reason, override } = ctx
    return {
      reason: reason === null ? override : `${reason} (override: ${override})`,
      marks: isAbout('max_daily_budget') ? { overridden_minor: after.daily_budget_minor } : {},
    }
  }
  const blockFor = (breach: Breach) => blockOf(after, breach, before === null)
  const block = blockFor(first)
  const { rule, limit, requested, currency } = block
  throw new Refusal('guardrail_violation', summaryOf(block), {
    members: { rule, limit, requested, currency },
    faults: breaches.map((breach) => faultOf(blockFor(breach), after, body)),
    tell: (ctx) => inTransaction(ctx, (ctx) => tellBlock(ctx, block)),
  })
}

const summaryOf = ({ rule, limit, requested, currency }: GuardrailBlock) =>
  `${rule}: ${requested} ${currency} is over ${limit}.`

/** A broken rule in `errors`: at the body's field that breaks it, where the body has one. */
function faultOf(block: GuardrailBlock, row: Details, body: object): Fault {
  const { rule, limit, requested, currency } = block
  const facts = { message: summaryOf(block), limit, rule, requested, currency }
  const field = budgetsThatCount(row).find((name) => Object.hasOwn(body, name))
  if (field === undefined) return { pointer: '', code: 'guardrail_violation', ...facts }
  const given = (body as Record<string, unknown>)[field]
  return { pointer: `/${field}`, code: 'out_of_range', ...facts, given: asSent(given) }
}

const budgetsThatCount = ({ daily_budget_minor: daily }: Details): string[] =>
  daily === null ? ['lifetime_budget', 'daily_budget'] : ['daily_budget']

/** A number that no double holds arrives as an object with its text. */
const asSent = (given: unknown) =>
  typeof given === 'object' && given !== null ? String(given) : given

export function blockOf(row: Details, breach: Breach, isNew = false): GuardrailBlock {
  return {
    campaign_id: isNew ? null : row.id,
    name: row.name,
    profile_id: row.profile_id,
    rule: breach.rule,
    limit: majorOf(breach.limit, row.currency_exponent),
    requested: majorOf(breach.requested, row.currency_exponent),
    currency: row.currency,
  }
}

export async function tellBlock(ctx: WriteContext, block: GuardrailBlock): Promise<void> {
  const { campaign_id: id, name, rule, limit, requested } = block
  const resource = { type: 'campaign', id, name }
  const changes = [{ field: rule, before: limit, after: requested }]
  await record(ctx, { action: 'guardrail.blocked', outcome: 'denied', resource, changes })
  await announce(ctx, 'guardrail.blocked', { before: null, after: block })
}
