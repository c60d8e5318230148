import { figuresOf } from '../../../src/features/campaigns/pacing/measure/figures.ts'
import { noSpend, type Spend } from '../../../src/features/campaigns/pacing/measure/spend.ts'
import type { PacingStatus } from '../../../src/features/campaigns/pacing/measure/status.ts'
import type { Platform } from '../../../src/features/campaigns/pacing/plan/allowances.ts'
import { dayNumberOf } from '../../../src/features/campaigns/pacing/plan/days.ts'
import type { Flown } from '../../../src/features/campaigns/pacing/plan/period.ts'
import { planOf } from '../../../src/features/campaigns/pacing/plan/plan.ts'
import {
  type Bound,
  type Recorded,
  stepsOf,
} from '../../../src/features/campaigns/pacing/plan/steps.ts'
import { noGuardrails } from '../../../src/features/guardrails/rules.ts'

/** A campaign of 100.00 a day, launched on 1 June 2026; anything may differ. */
type PacingCase = Partial<Flown & Bound> & {
  records?: Recorded[]
  now: string
  platform?: Platform
  before?: PacingStatus
  spend?: Partial<Spend>
}

const launched: Flown & Bound = {
  status: 'active',
  daily_budget_minor: 100_00,
  lifetime_budget_minor: null,
  schedule: null,
  start_at: null,
  end_at: null,
  launched_at: '2026-06-01T00:00:00.000Z',
  completed_at: null,
  time_zone: 'UTC',
}

export function judged({
  records = [],
  now,
  platform = 'other',
  before,
  spend,
  ...fields
}: PacingCase) {
  const campaign = { ...launched, ...fields }
  const at = Date.parse(now)
  const plan = planOf(campaign, stepsOf(campaign, records, at), at)
  return figuresOf({
    plan,
    spend: { ...noSpend, ...spend },
    isRunning: campaign.status === 'active',
    timeZone: campaign.time_zone,
    platform,
    bounds: noGuardrails.pacing,
    before: before ?? null,
    now: at,
  })
}

/** The same amount on each of some days, complete through the last. */
export const daily = (
  first: string,
  count: number,
  minor: number,
  reportedAt: string,
): Partial<Spend> => ({
  byDay: Array.from({ length: count }, (_, at) => ({ day: dayNumberOf(first) + at, minor })),
  completeThrough: dayNumberOf(first) + count - 1,
  reportedAt: Date.parse(reportedAt),
  sources: ['google_ads'],
})
