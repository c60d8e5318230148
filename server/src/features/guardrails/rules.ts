import type { ChangeSetRules, Guardrails } from '../../database/tables/json-columns.ts'
import { decimalDigits } from '../../values/money.ts'

export const approvalModes: readonly Guardrails['approval']['mode'][] = ['never', 'always', 'above']

export const approverRoles: Guardrails['approver_roles'] = ['owner', 'admin', 'editor']

export const changeSetApprovals: readonly ChangeSetRules['approval'][] = [
  'never',
  'always',
  'raises',
]

export const changeSetWriters: ChangeSetRules['required_for'] = ['api_key', 'member']

export type StopScope = NonNullable<Guardrails['stop_scopes']>[number]

export const stopScopes: readonly StopScope[] = ['lifetime', 'profile', 'client']

export const unlistedModes: readonly Guardrails['unlisted_currencies'][] = ['allow', 'refuse']

/** The guardrails of an organization that has set none. */
export const noGuardrails: Guardrails = {
  max_daily_budget: {},
  max_lifetime_budget: {},
  unlisted_currencies: 'allow',
  max_increase_percent: null,
  max_increase_percent_24h: null,
  approval: { mode: 'never', amounts: {} },
  approver_roles: ['owner', 'admin'],
  stop_at_percent: null,
  pacing: { under_percent: 90, over_percent: 110, critical_percent: 120 },
}

const defaultPerformanceBound = 20

/** How much worse than its target a campaign may be, in percent. */
export const performanceBoundIn = (column: Guardrails | null): number =>
  column?.performance_bound ?? defaultPerformanceBound

/** Spending that stops campaigns. */
export const stopScopesIn = (column: Guardrails | null): readonly StopScope[] =>
  column?.stop_scopes ?? ['lifetime', 'profile']

const noChangeSetRules: ChangeSetRules = { approval: 'never', raises_above: {}, required_for: [] }

export const changeSetRulesIn = (column: Guardrails | null): ChangeSetRules =>
  column?.change_sets ?? noChangeSetRules

/** The column `rules` of `guardrails`; null where an organization has set none. */
export const guardrailsIn = (column: Guardrails | null): Guardrails => column ?? noGuardrails

/** Maximum decimals of a percentage. */
export const percentDecimals = 2

/** A percentage in hundredths, parsed from its decimal text: 12.5 → 1250. */
export function hundredthsOf(percent: number): bigint {
  const { digits, decimals } = decimalDigits(String(percent)) ?? { digits: 0n, decimals: 0 }
  return digits * 10n ** BigInt(percentDecimals - decimals)
}
