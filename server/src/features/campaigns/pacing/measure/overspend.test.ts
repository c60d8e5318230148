import { describe, expect, test } from 'vitest'
import { daily, judged } from '../../../../../test/support/cases/pacing-case.ts'
import type { Platform } from '../plan/allowances.ts'
import { dayNumberOf } from '../plan/days.ts'

const now = '2026-06-22T00:00:00.000Z'

/** On plan but for these days. */
function spending(changed: Readonly<Record<string, number>>) {
  const spend = daily('2026-06-01', 21, 100_00, now)
  const byDay = (spend.byDay ?? []).map(({ day, minor }) => {
    const date = Object.keys(changed).find((each) => dayNumberOf(each) === day)
    return { day, minor: date === undefined ? minor : (changed[date] ?? 0) }
  })
  return { ...spend, byDay }
}

const overspendOf = (platform: Platform, changed: Readonly<Record<string, number>>) =>
  judged({ now, platform, spend: spending(changed) })

describe('what the platform allows itself', () => {
  test.each<[Platform, number]>([
    ['google_ads', 200_00],
    ['meta', 175_00],
    ['tiktok', 125_00],
    ['linkedin', 100_00],
    ['other', 100_00],
  ])('on %s in a day is %i minor units of a budget of 100.00', (platform, allowed) => {
    // The days around it make up for it, so that the week is within its bounds.
    const balanced = { '2026-06-09': 0, '2026-06-11': 0 }
    expect(overspendOf(platform, { ...balanced, '2026-06-10': allowed })).toMatchObject({
      overspend: [],
      status: 'on_track',
    })
    expect(overspendOf(platform, { ...balanced, '2026-06-10': allowed + 1 })).toMatchObject({
      overspend: [
        {
          from: '2026-06-10',
          to: '2026-06-11',
          spent_minor: allowed + 1,
          allowed_minor: allowed,
        },
      ],
      status: 'over',
    })
  })

  test.each<[Platform, boolean]>([
    ['meta', true],
    ['tiktok', true],
    ['google_ads', false],
  ])('on %s in a week from Sunday', (platform, hasWeek) => {
    const week = {
      from: '2026-06-07',
      to: '2026-06-14',
      spent_minor: 700_01,
      allowed_minor: 700_00,
    }
    const overspend = hasWeek ? [week] : []
    expect(overspendOf(platform, { '2026-06-10': 100_01 })).toMatchObject({ overspend })
    expect(overspendOf(platform, { '2026-06-10': 120_00, '2026-06-13': 80_00 }).overspend).toEqual(
      [],
    )
  })

  test('in a week that began in the month before counts all of it', () => {
    const at = '2026-07-05T00:00:00.000Z'
    const spend = daily('2026-06-28', 7, 100_00, at)
    expect(judged({ now: at, platform: 'meta', spend }).overspend).toEqual([])
    const byDay = (spend.byDay ?? []).map((each, index) =>
      index === 0 ? { ...each, minor: 100_01 } : each,
    )
    expect(judged({ now: at, platform: 'meta', spend: { ...spend, byDay } }).overspend).toEqual([
      { from: '2026-06-28', to: '2026-07-05', spent_minor: 700_01, allowed_minor: 700_00 },
    ])
  })

  test('on Google Ads in a month is 30.4 budgets, or the part of them that the flight has', () => {
    const end = '2026-07-01T00:00:00.000Z'
    const whole = (minor: number) =>
      judged({
        now: end,
        platform: 'google_ads',
        end_at: end,
        spend: daily('2026-06-01', 30, minor, end),
      })
    expect(whole(101_33).overspend).toEqual([])
    expect(whole(101_34).overspend).toEqual([
      { from: '2026-06-01', to: '2026-07-01', spent_minor: 3040_20, allowed_minor: 3040_00 },
    ])
    const half = judged({
      now: end,
      platform: 'google_ads',
      launched_at: '2026-06-16T00:00:00.000Z',
      end_at: end,
      spend: daily('2026-06-16', 15, 101_34, end),
    })
    expect(half.overspend).toEqual([
      { from: '2026-06-16', to: '2026-07-01', spent_minor: 1520_10, allowed_minor: 1520_00 },
    ])
  })

  test('on a day with several budgets is counted from the highest', () => {
    const records = [
      {
        at: '2026-06-10T12:00:00.000Z',
        changes: [{ field: 'daily_budget_minor' as const, before: 150_00, after: 100_00 }],
      },
      {
        at: '2026-06-10T00:00:00.000Z',
        changes: [{ field: 'daily_budget_minor' as const, before: 100_00, after: 150_00 }],
      },
    ]
    const day = (minor: number) =>
      judged({ now, records, platform: 'google_ads', spend: spending({ '2026-06-10': minor }) })
    expect(day(300_00).overspend).toEqual([])
    expect(day(300_01).overspend).toMatchObject([{ allowed_minor: 300_00 }])
  })
})
