import type { Role } from '../../identity/permissions.ts'
import { decimalDigits } from '../../values/money.ts'

/** Amounts in minor units, by currency. */
export type Amounts = Readonly<Record<string, number>>

export const approvalModes = ['never', 'always', 'above'] as const
export type ApprovalMode = (typeof approvalModes)[number]

export const approverRoles = ['owner', 'admin', 'editor'] as const satisfies readonly Role[]
export type ApproverRole = (typeof approverRoles)[number]

export const unlistedModes = ['allow', 'refuse'] as const
export type UnlistedMode = (typeof unlistedModes)[number]

/** An organization's limits, and when it requires approval. */
export type Guardrails = {
  readonly max_daily_budget: Amounts
  readonly max_lifetime_budget: Amounts
  /** Whether currencies listed in neither are allowed. */
  readonly unlisted_currencies: UnlistedMode
  readonly max_increase_percent: number | null
  readonly max_increase_percent_24h: number | null
  readonly approval: { readonly mode: ApprovalMode; readonly amounts: Amounts }
  readonly approver_roles: readonly ApproverRole[]
}

/** The guardrails of an organization that has set none. */
export const noGuardrails: Guardrails = {
  max_daily_budget: {},
  max_lifetime_budget: {},
  unlisted_currencies: 'allow',
  max_increase_percent: null,
  max_increase_percent_24h: null,
  approval: { mode: 'never', amounts: {} },
  approver_roles: ['owner', 'admin'],
}

/** Parses the column `rules` of `guardrails`, as stored by the verb. */
export const guardrailsIn = (column: unknown): Guardrails =>
  (column as Guardrails | null) ?? noGuardrails

/** Maximum decimals of a percentage. */
export const percentDecimals = 2

/** A percentage in hundredths, parsed from its decimal text: 12.5 → 1250. */
export function hundredthsOf(percent: number): bigint {
  const { digits, decimals } = decimalDigits(String(percent)) ?? { digits: 0n, decimals: 0 }
  return digits * 10n ** BigInt(percentDecimals - decimals)
}
