import type { AccountFacts, Plan } from '../../kit/src/connect.ts'

/** A plan and an account for tests of what is pure. */

export const desired: Plan = {
  name: 'Autumn Sale',
  objective: 'sales',
  run: 'enabled',
  daily_budget_minor: 4_000,
  lifetime_budget_minor: null,
  currency: 'USD',
  start_at: null,
  end_at: null,
  time_zone: 'Europe/Zurich',
  schedule: [],
  settings: { contains_eu_political_advertising: 'DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING' },
}

export const accountOf = (facts: Partial<AccountFacts> = {}): AccountFacts => ({
  ref: '1234567890',
  name: null,
  currency: 'USD',
  time_zone: 'Europe/Zurich',
  status: 'active',
  credentialExpiresAt: null,
  ...facts,
})
