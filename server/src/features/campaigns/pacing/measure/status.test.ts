import { describe, expect, test } from 'vitest'
import { daily, judged } from '../../../../../test/support/cases/pacing-case.ts'
import type { PacingStatus } from './status.ts'

const now = '2026-06-21T00:00:00.000Z'

/** Ten days on plan, then ten that bring the index to this, in ten-thousandths. */
function atIndex(index: number, before?: PacingStatus) {
  const last = daily('2026-06-11', 10, 2 * index - 100_00, now)
  const byDay = [...(daily('2026-06-01', 10, 100_00, now).byDay ?? []), ...(last.byDay ?? [])]
  return judged({
    now,
    platform: 'google_ads',
    spend: { ...last, byDay },
    ...(before && { before }),
  })
}

/** The index, the status before, and the one that follows. */
type StatusCase = [index: number, before: PacingStatus | undefined, after: PacingStatus]

describe('the status', () => {
  test.each<StatusCase>([
    [100_00, undefined, 'on_track'],
    [90_00, undefined, 'on_track'],
    [89_99, undefined, 'under'],
    [105_00, undefined, 'on_track'],
  ])('at an index of %i follows from its bounds', (index, before, status) => {
    expect(atIndex(index, before)).toMatchObject({ pacing_index: index / 100_00, status })
  })

  test.each<StatusCase>([
    [91_99, 'under', 'under'],
    [92_00, 'under', 'on_track'],
    [91_99, 'on_track', 'on_track'],
    [91_99, 'low_confidence', 'on_track'],
    [108_00, 'over', 'on_track'],
    [108_01, 'over', 'over'],
    [108_01, 'critical', 'over'],
    [108_01, 'under', 'on_track'],
  ])(
    'at an index of %i, once %s, is left only two points beyond its bound',
    (index, before, status) => {
      expect(atIndex(index, before)).toMatchObject({ status })
    },
  )

  /** The same rate throughout, so that projection and index are the same. */
  const steady = (minor: number, before?: PacingStatus) =>
    judged({
      now,
      platform: 'google_ads',
      spend: daily('2026-06-01', 20, minor, now),
      ...(before && { before }),
    })

  test.each<StatusCase>([
    [110_00, undefined, 'on_track'],
    [110_01, undefined, 'over'],
    [120_00, undefined, 'over'],
    [120_01, undefined, 'critical'],
    [118_01, 'critical', 'critical'],
    [118_00, 'critical', 'over'],
    [118_01, 'over', 'over'],
    [0, undefined, 'under'],
  ])('of %i minor units a day', (minor, before, status) => {
    expect(steady(minor, before)).toMatchObject({ status })
  })

  test('is critical as soon as the projection is, whatever the index says', () => {
    // An index of 1.05, but double the budget in the last days.
    const late = daily('2026-06-14', 7, 180_00, now)
    const byDay = [...(daily('2026-06-01', 13, 60_00, now).byDay ?? []), ...(late.byDay ?? [])]
    expect(judged({ now, platform: 'google_ads', spend: { ...late, byDay } })).toMatchObject({
      pacing_index: 1.02,
      projected_minor: 3840_00,
      money_at_risk_minor: 840_00,
      status: 'critical',
    })
  })

  test('is exhausted when the target is spent, before anything else is said', () => {
    const spend = daily('2026-06-01', 20, 150_00, now)
    expect(judged({ now, platform: 'google_ads', spend })).toMatchObject({
      status: 'exhausted',
      required_daily_minor: 0,
    })
    const before = daily('2026-06-01', 20, 149_99, now)
    expect(judged({ now, platform: 'google_ads', spend: before })).toMatchObject({
      status: 'critical',
    })
  })

  test('is stale 24 hours after the last report, and not a millisecond before', () => {
    const spend = daily('2026-06-01', 20, 100_00, now)
    const rows: [string, PacingStatus][] = [
      ['2026-06-21T23:59:59.999Z', 'on_track'],
      ['2026-06-22T00:00:00.000Z', 'stale'],
      ['2026-06-25T00:00:00.000Z', 'stale'],
    ]
    for (const [at, status] of rows) expect(judged({ now: at, spend })).toMatchObject({ status })
  })

  test('is of low confidence under three complete days, or under a twentieth of the period', () => {
    const month = (count: number) =>
      judged({
        now: '2026-06-05T00:00:00.000Z',
        spend: daily('2026-06-01', count, 300_00, '2026-06-05T00:00:00.000Z'),
      })
    expect(month(2)).toMatchObject({ status: 'low_confidence', confidence: 'low' })
    expect(month(3)).toMatchObject({ status: 'critical', confidence: 'normal' })
    const year = (count: number) =>
      judged({
        daily_budget_minor: null,
        lifetime_budget_minor: 10_000_00,
        end_at: '2026-09-09T00:00:00.000Z',
        now: '2026-06-06T00:00:00.000Z',
        spend: daily('2026-06-01', count, 100_00, '2026-06-06T00:00:00.000Z'),
      })
    expect(year(4)).toMatchObject({ status: 'low_confidence' })
    expect(year(5)).toMatchObject({ status: 'on_track', pacing_index: 1 })
  })
})
