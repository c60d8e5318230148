import type { WriteContext } from '../../kernel/context.ts'
import { Refusal } from '../../kernel/errors.ts'
import { guardrailsIn } from '../../kernel/guardrails.ts'
import { announce, record } from '../../kernel/ledger.ts'
import { majorOf } from '../../kernel/money.ts'
import { inTransaction } from '../../kernel/transactions.ts'
import { budgetADayAgo } from './budget-past.ts'
import type { GuardrailBlock, GuardrailRule } from './guardrail-event.ts'
import type { Details } from './present.ts'

/** Amounts in minor units. */
type Breach = { rule: GuardrailRule; limit: number; requested: number }

/** What a campaign was and shall be; `before` is null for a new one. */
type Setting = { before: Details | null; after: Details }

const launched = new Set(['scheduled', 'active', 'paused'])
const running = new Set(['scheduled', 'active'])

/** For every write that sets a daily budget. Answers why a breach is let through, if it is. */
export async function checkBudget(ctx: WriteContext, setting: Setting): Promise<string | null> {
  const { before, after } = setting
  const was = before?.daily_budget_minor ?? null
  const wanted = after.daily_budget_minor
  const isSame = was === wanted && before?.currency === after.currency
  if (wanted === null || isSame) return null
  const isRaised = was === null || wanted > was
  const found = [
    isRaised && before && running.has(before.status) ? await profileBreach(ctx, after) : undefined,
    capBreach(after),
    ...(isRaised && before && launched.has(before.status)
      ? [increaseBreach(before, wanted), await dayBreach(ctx, before, wanted)]
      : []),
  ]
  return judge(ctx, setting.after, { found, isNew: before === null })
}

/** For every way into running: launch, resume, approval. */
export async function checkRun(ctx: WriteContext, row: Details): Promise<string | null> {
  return judge(ctx, row, { found: [await profileBreach(ctx, row), capBreach(row)], isNew: false })
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
  return beyond(before.daily_budget_minor, percent, { rule: 'max_increase_percent', requested })
}

async function dayBreach(ctx: WriteContext, before: Details, requested: number) {
  const { max_increase_percent_24h: percent } = guardrailsIn(before.guardrails)
  if (percent === null) return undefined
  const base = await budgetADayAgo(ctx, before)
  return beyond(base, percent, { rule: 'max_increase_percent_24h', requested })
}

/** Where there was no daily budget there is nothing to grow from. */
function beyond(
  base: number | null,
  percent: number | null,
  { rule, requested }: Omit<Breach, 'limit'>,
): Breach | undefined {
  if (base === null || percent === null) return undefined
  const limit = Number((BigInt(base) * BigInt(100 + percent)) / 100n)
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

type Found = { found: readonly (Breach | undefined)[]; isNew: boolean }

/** A reason lets the organization's guardrails be passed, but no profile's cap. */
function judge(ctx: WriteContext, row: Details, { found, isNew }: Found): string | null {
  const breaches = found.filter((each) => each !== undefined)
  const [first] = breaches
  if (!first) return null
  const isFirm = breaches.some(({ rule }) => rule === 'profile_daily_budget_cap')
  if (ctx.override !== null && !isFirm) {
    return ctx.reason === null ? ctx.override : `${ctx.reason} (override: ${ctx.override})`
  }
  const block = blockOf(row, first, isNew)
  const { rule, limit, requested, currency } = block
  throw new Refusal('guardrail_violation', `${rule}: ${requested} ${currency} is over ${limit}.`, {
    members: { rule, limit, requested, currency },
    tell: (ctx) => inTransaction(ctx, (ctx) => tellBlock(ctx, block)),
  })
}

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
