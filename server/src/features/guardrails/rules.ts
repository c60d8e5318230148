import type { Role } from '../../identity/permissions.ts'
import { decimalDigits } from '../../values/money.ts'

/** Amounts of money in minor units, by currency. */
export type Amounts = Readonly<Record<string, number>>

export const approvalModes = ['never', 'always', 'above'] as const
export type ApprovalMode = (typeof approvalModes)[number]

export const approverRoles = ['owner', 'admin', 'editor'] as const satisfies readonly Role[]
export type ApproverRole = (typeof approverRoles)[number]

export const unlistedModes = ['allow', 'refuse'] as const
export type UnlistedMode = (typeof unlistedModes)[number]

/** What an organization forbids itself, and what it wants somebody else to have seen. */
export type Guardrails = {
  readonly max_daily_budget: Amounts
  readonly max_lifetime_budget: Amounts
  /** What becomes of a currency that neither of the two names. */
  readonly unlisted_currencies: UnlistedMode
  readonly max_increase_percent: number | null
  readonly max_increase_percent_24h: number | null
  readonly approval: { readonly mode: ApprovalMode; readonly amounts: Amounts }
  readonly approver_roles: readonly ApproverRole[]
}

/** Those of an organization that has set none. */
export const noGuardrails: Guardrails = {
  max_daily_budget: {},
  max_lifetime_budget: {},
  unlisted_currencies: 'allow',
  max_increase_percent: null,
  max_increase_percent_24h: null,
  approval: { mode: 'never', amounts: {} },
  approver_roles: ['owner', 'admin'],
}

/** The column `rules` of `guardrails`: what the verb there has stored, or nothing. */
export const guardrailsIn = (column: unknown): Guardrails =>
  (column as Guardrails | null) ?? noGuardrails

/** Percents have at most so many decimals. */
export const percentDecimals = 2

/** A percentage as an integer of hundredths, by its text: 12.5 → 1250. */
export function hundredthsOf(percent: number): bigint {
  const { digits, decimals } = decimalDigits(String(percent)) ?? { digits: 0n, decimals: 0 }
  return digits * 10n ** BigInt(percentDecimals - decimals)
}
