import type {
  Amounts,
  ChangeSetRules,
  Guardrails as Rules,
} from '../../database/tables/json-columns.ts'
import { change } from '../../kernel/change.ts'
import type { Context, WriteContext } from '../../kernel/context.ts'
import { readOnlyFaults } from '../../kernel/people.ts'
import { checkVersion } from '../../kernel/rows.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { checkFaults } from '../../problems/problem.ts'
import { amountsInMajor, readAmounts } from '../../schema/amounts.ts'
import { changedFields } from '../../schema/changed-fields.ts'
import { decimalDigits, type MoneyInput } from '../../values/money.ts'
import {
  approverRoles,
  changeSetRulesIn,
  changeSetWriters,
  guardrailsIn,
  noGuardrails,
  percentDecimals,
  performanceBoundIn,
  type StopScope,
  stopScopes,
  stopScopesIn,
} from './rules.ts'
import { type Guardrails, type GuardrailsChanges, guardrailsReadOnly } from './schema.ts'

type StoredGuardrails = {
  rules: Rules | null
  version: number
  updated_at: string | null
  updated_by: string | null
}

/** Until they are set, an organization has version 1 of empty guardrails. */
const unset: StoredGuardrails = { rules: null, version: 1, updated_at: null, updated_by: null }

export const getGuardrails = async (ctx: Context): Promise<Guardrails> =>
  toGuardrails(ctx, await stored(ctx))

async function stored(ctx: Context): Promise<StoredGuardrails> {
  const row = await ctx.reader
    .kysely()
    .selectFrom('guardrails')
    .select(['rules', 'version', 'updated_at', 'updated_by'])
    .where('organization_id', '=', ctx.organization.id)
    .executeTakeFirst()
  return row ?? unset
}

export const updateGuardrails = (ctx: Context, body: GuardrailsChanges): Promise<Guardrails> =>
  change(ctx, 'organization.guardrails_updated', async (ctx) => {
    const row = await stored(ctx)
    checkVersion(ctx, row.version)
    const before = toGuardrails(ctx, row)
    const rules = {
      ...guardrailsIn(row.rules),
      change_sets: changeSetRulesIn(row.rules),
      stop_scopes: stopScopesIn(row.rules),
      performance_bound: performanceBoundIn(row.rules),
    }
    const { normalized, faults } = normalize(body, rules)
    const readOnly = await readOnlyFaults(ctx, { before, body, readOnly: guardrailsReadOnly })
    checkFaults(ctx, [...faults, ...readOnly])
    if (changedFields(rules, normalized).length === 0) return { before, after: before }
    const next = { version: row.version + 1, updated_at: ctx.now, updated_by: ctx.actor.id }
    store(ctx, { rules: normalized, ...next })
    return { before, after: toGuardrails(ctx, { rules: normalized, ...next }) }
  })

const storeSql = `
  insert into guardrails (organization_id, rules, version, updated_at, updated_by)
  values ($1, $2, $3, $4, $5)
  on conflict (organization_id) do update
    set rules = $2, version = $3, updated_at = $4, updated_by = $5`

function store(
  ctx: WriteContext,
  { rules, version, updated_at, updated_by }: StoredGuardrails,
): void {
  const values = [JSON.stringify(rules), version, updated_at, updated_by]
  ctx.tx.send(tenantQuery(ctx, storeSql, ...values))
}

/** Merges the body into the stored rules: omitted fields stay, null resets to the default. */
function normalize(body: GuardrailsChanges, before: Rules): { normalized: Rules; faults: Fault[] } {
  const faults: Fault[] = []
  const kept = body.approval === null ? noGuardrails.approval : before.approval
  const { mode = kept.mode, amounts: sent } = body.approval ?? {}
  const roles = given(body.approver_roles, before.approver_roles) ?? noGuardrails.approver_roles
  const amounts = amountsIn(sent, '/approval/amounts', faults)
  const daily = amountsIn(body.max_daily_budget, '/max_daily_budget', faults)
  const lifetime = amountsIn(body.max_lifetime_budget, '/max_lifetime_budget', faults)
  const unlisted = given(body.unlisted_currencies, before.unlisted_currencies)
  const normalized = {
    max_daily_budget: daily ?? before.max_daily_budget,
    max_lifetime_budget: lifetime ?? before.max_lifetime_budget,
    unlisted_currencies: unlisted ?? noGuardrails.unlisted_currencies,
    max_increase_percent: given(body.max_increase_percent, before.max_increase_percent),
    max_increase_percent_24h: given(body.max_increase_percent_24h, before.max_increase_percent_24h),
    approval: { mode, amounts: amounts ?? kept.amounts },
    approver_roles: approverRoles.filter((role) => roles.includes(role)),
    change_sets: changeSetRules(body.change_sets, changeSetRulesIn(before), faults),
    stop_at_percent: given(body.stop_at_percent, before.stop_at_percent),
    stop_scopes: scopesAfter(body.stop_scopes, before),
    pacing: boundsIn(body.pacing, before.pacing),
    performance_bound:
      given(body.performance_bound, before.performance_bound) ?? performanceBoundIn(null),
  }
  faults.push(...percentFaults(body, 'max_increase_percent'))
  faults.push(...percentFaults(body, 'max_increase_percent_24h'))
  faults.push(...percentFaults(body, 'stop_at_percent'), ...boundFaults(normalized.pacing))
  if (mode === 'above' && faults.length === 0 && isEmpty(normalized.approval.amounts)) {
    faults.push(fault('/approval/amounts', 'required', 'is required for the mode above'))
  }
  return { normalized, faults }
}

/** Sent members replace; null resets all of them. */
function changeSetRules(
  sent: GuardrailsChanges['change_sets'],
  before: ChangeSetRules,
  faults: Fault[],
): ChangeSetRules {
  const kept = sent === null ? changeSetRulesIn(null) : before
  const { approval = kept.approval, required_for = kept.required_for } = sent ?? {}
  const raises_above = amountsIn(sent?.raises_above, '/change_sets/raises_above', faults)
  return {
    approval,
    raises_above: raises_above ?? kept.raises_above,
    required_for: changeSetWriters.filter((each) => required_for.includes(each)),
  }
}

/** Bounds that are left out stay; null resets all. */
const boundsIn = (sent: GuardrailsChanges['pacing'], before: Rules['pacing']): Rules['pacing'] =>
  sent === null ? noGuardrails.pacing : { ...before, ...sent }

function boundFaults({ under_percent, over_percent, critical_percent }: Rules['pacing']): Fault[] {
  if (under_percent < 100 && over_percent > 100 && critical_percent >= over_percent) return []
  const message = 'must be under 100, over 100, and not under over_percent, in this order'
  return [fault('/pacing', 'out_of_range', message)]
}

const scopesAfter = (
  sent: GuardrailsChanges['stop_scopes'],
  before: Rules,
): readonly StopScope[] => {
  const chosen = sent === null ? stopScopesIn(null) : (sent ?? stopScopesIn(before))
  return stopScopes.filter((scope) => chosen.includes(scope))
}

type PercentField = 'max_increase_percent' | 'max_increase_percent_24h' | 'stop_at_percent'

function percentFaults(body: GuardrailsChanges, field: PercentField): Fault[] {
  const percent = body[field] ?? 0
  if ((decimalDigits(String(percent))?.decimals ?? 0) <= percentDecimals) return []
  const message = `must have at most ${percentDecimals} decimals`
  return [fault(`/${field}`, 'invalid_format', message, { limit: percentDecimals, given: percent })]
}

const given = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value)

const isEmpty = (amounts: Amounts) => Object.keys(amounts).length === 0

/** In minor units; undefined where nothing was said. */
const amountsIn = (
  input: Record<string, MoneyInput> | null | undefined,
  pointer: string,
  faults: Fault[],
): Amounts | undefined =>
  input === undefined ? undefined : readAmounts(input ?? {}, { pointer, faults })

function toGuardrails({ organization }: Context, row: StoredGuardrails): Guardrails {
  const rules = guardrailsIn(row.rules)
  const changeSets = changeSetRulesIn(row.rules)
  return {
    id: organization.id,
    max_daily_budget: amountsInMajor(rules.max_daily_budget),
    max_lifetime_budget: amountsInMajor(rules.max_lifetime_budget),
    unlisted_currencies: rules.unlisted_currencies,
    max_increase_percent: rules.max_increase_percent,
    max_increase_percent_24h: rules.max_increase_percent_24h,
    approval: { mode: rules.approval.mode, amounts: amountsInMajor(rules.approval.amounts) },
    approver_roles: [...rules.approver_roles],
    change_sets: {
      approval: changeSets.approval,
      raises_above: amountsInMajor(changeSets.raises_above),
      required_for: [...changeSets.required_for],
    },
    stop_at_percent: rules.stop_at_percent,
    stop_scopes: [...stopScopesIn(row.rules)],
    pacing: rules.pacing,
    performance_bound: performanceBoundIn(row.rules),
    version: row.version,
    updated_at: row.updated_at,
    updated_by: row.updated_by,
  }
}
