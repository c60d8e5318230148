import { describe, expect, test } from 'vitest'
import { daily, judged } from '../../../../../test/support/cases/pacing-case.ts'
import type { Schedule } from '../../schedule/dayparting.ts'
import { dayNumberOf } from '../plan/days.ts'
import type { Recorded } from '../plan/steps.ts'
import type { PacingStatus } from './status.ts'

const dayMs = 86_400_000

const launch = (at: string): Recorded => ({
  at,
  changes: [{ field: 'status', before: 'draft', after: 'active' }],
})

describe('a campaign with a daily budget', () => {
  test('exactly on plan is at 1.00, and nothing is at risk', () => {
    const now = '2026-06-11T08:00:00.000Z'
    expect(judged({ now, spend: daily('2026-06-01', 10, 100_00, now) })).toEqual({
      period: { start: '2026-06-01T00:00:00.000Z', end: '2026-07-01T00:00:00.000Z' },
      target_minor: 3000_00,
      spent_minor: 1000_00,
      expected_minor: 1000_00,
      pacing_index: 1,
      projected_minor: 3000_00,
      required_daily_minor: 100_00,
      money_at_risk_minor: 0,
      complete_through: '2026-06-10',
      last_reported_at: now,
      days_left: 20,
      status: 'on_track',
      confidence: 'normal',
      overspend: [],
      sources: ['google_ads'],
    })
  })

  test('is unknown on its first day, not at 0 %', () => {
    const now = '2026-06-01T12:00:00.000Z'
    const unknown = {
      expected_minor: null,
      pacing_index: null,
      projected_minor: null,
      money_at_risk_minor: null,
      confidence: 'low',
    }
    expect(judged({ now })).toMatchObject({ ...unknown, spent_minor: null, status: 'no_data' })
    const spend = {
      ...daily('2026-06-01', 1, 40_00, now),
      completeThrough: dayNumberOf('2026-05-31'),
    }
    expect(judged({ now, spend })).toMatchObject({
      ...unknown,
      spent_minor: 40_00,
      status: 'low_confidence',
    })
  })

  test('has a target of as many budgets as the month has days', () => {
    const months: [string, number][] = [
      ['2026-02', 28],
      ['2028-02', 29],
      ['2026-04', 30],
      ['2026-12', 31],
    ]
    for (const [month, count] of months) {
      const now = `${month}-11T00:00:00.000Z`
      const spend = daily(`${month}-01`, 10, 100_00, now)
      const launched_at = '2025-06-01T00:00:00.000Z'
      expect(judged({ now, launched_at, spend })).toMatchObject({
        target_minor: count * 100_00,
        projected_minor: count * 100_00,
        pacing_index: 1,
        days_left: count - 10,
        status: 'on_track',
      })
    }
  })

  test('is expected to spend each day what was its budget then', () => {
    const now = '2026-06-16T00:00:00.000Z'
    const raised = (at: string): Recorded => ({
      at,
      changes: [{ field: 'daily_budget_minor', before: 100_00, after: 200_00 }],
    })
    const spend = daily('2026-06-01', 10, 100_00, now)
    const rest = daily('2026-06-11', 5, 200_00, now)
    const byDay = [...(spend.byDay ?? []), ...(rest.byDay ?? [])]
    const fields = { now, daily_budget_minor: 200_00, spend: { ...rest, byDay } }
    for (const at of ['2026-06-11T00:00:00.000Z', '2026-06-11T23:59:00.000Z']) {
      // The last budget of a day is that day's.
      expect(judged({ ...fields, records: [raised(at)] })).toMatchObject({
        target_minor: 10 * 100_00 + 20 * 200_00,
        expected_minor: 10 * 100_00 + 5 * 200_00,
        spent_minor: 2000_00,
        pacing_index: 1,
      })
    }
  })

  test('expects nothing of the time in which it was paused', () => {
    const now = '2026-06-11T00:00:00.000Z'
    const pause: Recorded = {
      at: '2026-06-03T12:00:00.000Z',
      changes: [{ field: 'status', before: 'active', after: 'paused' }],
    }
    const resume: Recorded = {
      at: '2026-06-06T06:00:00.000Z',
      changes: [{ field: 'status', before: 'paused', after: 'active' }],
    }
    const records = [resume, pause, launch('2026-06-01T00:00:00.000Z')]
    const spend = daily('2026-06-01', 10, 100_00, now)
    // Paused half of the third, all of the fourth and fifth, a quarter of the sixth.
    expect(judged({ now, records, spend })).toMatchObject({ expected_minor: 725_00 })
  })

  test('raises nothing while it is paused, however much it spends', () => {
    const now = '2026-06-11T00:00:00.000Z'
    const spend = daily('2026-06-01', 10, 900_00, now)
    expect(judged({ now, status: 'paused', spend })).toMatchObject({ status: 'not_running' })
    const silent = { now, status: 'paused' as const }
    expect(judged(silent)).toMatchObject({ status: 'not_running', spent_minor: null })
  })

  test('is judged from its launch to its end, and owes the whole budget of a day that it began late', () => {
    const now = '2026-06-15T00:00:00.000Z'
    const fields = {
      launched_at: '2026-06-10T15:30:00.000Z',
      end_at: '2026-06-20T12:00:00.000Z',
      now,
    }
    expect(judged({ ...fields, spend: daily('2026-06-10', 5, 100_00, now) })).toMatchObject({
      period: { start: '2026-06-10T15:30:00.000Z', end: '2026-06-20T12:00:00.000Z' },
      target_minor: 11 * 100_00,
      expected_minor: 500_00,
      pacing_index: 1,
      days_left: 6,
    })
  })

  test('before its flight has the first month of it, and after it the last', () => {
    const ahead = { status: 'scheduled' as const, start_at: '2026-08-10T00:00:00.000Z' }
    expect(judged({ ...ahead, now: '2026-06-15T00:00:00.000Z' })).toMatchObject({
      period: { start: '2026-08-10T00:00:00.000Z', end: '2026-09-01T00:00:00.000Z' },
      target_minor: 22 * 100_00,
      days_left: 22,
      status: 'not_running',
    })
    const over = { status: 'completed' as const, completed_at: '2026-06-20T00:00:00.000Z' }
    expect(judged({ ...over, now: '2026-09-15T00:00:00.000Z' })).toMatchObject({
      period: { start: '2026-06-01T00:00:00.000Z', end: '2026-06-20T00:00:00.000Z' },
      days_left: 0,
      required_daily_minor: null,
    })
  })

  test('counts days by its own calendar', () => {
    const now = '2026-07-01T01:00:00.000Z'
    expect(judged({ now, time_zone: 'America/Los_Angeles' })).toMatchObject({
      period: { start: '2026-06-01T07:00:00.000Z', end: '2026-07-01T07:00:00.000Z' },
      days_left: 1,
    })
    expect(judged({ now: '2026-06-30T23:00:00.000Z', time_zone: 'Asia/Tokyo' })).toMatchObject({
      period: { start: '2026-06-30T15:00:00.000Z', end: '2026-07-31T15:00:00.000Z' },
    })
  })

  test('projects what was reported of today, and not more than the rest of it', () => {
    const now = '2026-06-11T12:00:00.000Z'
    const spend = daily('2026-06-01', 11, 100_00, now)
    const byDay = (spend.byDay ?? []).map((each) =>
      each.day === dayNumberOf('2026-06-11') ? { ...each, minor: 50_00 } : each,
    )
    const today = { byDay, completeThrough: dayNumberOf('2026-06-10'), restOfNewestMs: dayMs / 2 }
    expect(judged({ now, spend: { ...spend, ...today } })).toMatchObject({
      spent_minor: 1050_00,
      pacing_index: 1,
      projected_minor: 3000_00,
      required_daily_minor: 97_50,
    })
  })

  test('takes its rate from the month before while this one is young', () => {
    const now = '2026-07-02T00:00:00.000Z'
    const spend = daily('2026-06-24', 8, 200_00, now)
    expect(judged({ now, spend })).toMatchObject({
      spent_minor: 200_00,
      projected_minor: 31 * 200_00,
      status: 'low_confidence',
    })
  })
})

describe('a campaign with a lifetime budget', () => {
  const month = {
    daily_budget_minor: null,
    lifetime_budget_minor: 3000_00,
    end_at: '2026-07-01T00:00:00.000Z',
  }

  test('spends it evenly over the scheduled time of its flight', () => {
    const now = '2026-06-11T00:00:00.000Z'
    expect(judged({ ...month, now, spend: daily('2026-06-01', 10, 100_00, now) })).toMatchObject({
      target_minor: 3000_00,
      expected_minor: 1000_00,
      pacing_index: 1,
      projected_minor: 3000_00,
      required_daily_minor: 100_00,
      status: 'on_track',
    })
  })

  test('leaves pauses out on both sides', () => {
    const now = '2026-06-16T00:00:00.000Z'
    const records: Recorded[] = [
      {
        at: '2026-06-11T00:00:00.000Z',
        changes: [{ field: 'status', before: 'paused', after: 'active' }],
      },
      {
        at: '2026-06-06T00:00:00.000Z',
        changes: [{ field: 'status', before: 'active', after: 'paused' }],
      },
    ]
    const spend = daily('2026-06-01', 15, 80_00, now)
    // 10 of 25 days.
    expect(judged({ ...month, now, records, spend })).toMatchObject({
      expected_minor: 1200_00,
      pacing_index: 1,
    })
  })

  test('counts far days by the week', () => {
    const schedule: Schedule = [{ day: 'mon', start: '09:00', end: '17:00' }]
    const now = '2026-06-08T23:00:00.000Z'
    const end_at = '2027-06-07T00:00:00.000Z'
    const spend = daily('2026-06-01', 8, 0, now)
    const figures = judged({
      ...month,
      lifetime_budget_minor: 530_00,
      end_at,
      schedule,
      now,
      spend,
    })
    // 53 Mondays from 1 June 2026 to 31 May 2027, two of them over.
    expect(figures).toMatchObject({ days_left: 51, expected_minor: 20_00 })
  })

  test('without an end has neither an index nor a projection', () => {
    const fields = { ...month, end_at: null, now: '2026-06-11T00:00:00.000Z' }
    const endless = {
      period: { start: '2026-06-01T00:00:00.000Z', end: null },
      expected_minor: null,
      pacing_index: null,
      projected_minor: null,
      money_at_risk_minor: null,
      required_daily_minor: null,
      days_left: null,
    }
    const spend = (minor: number) => daily('2026-06-01', 10, minor, fields.now)
    expect(judged(fields)).toMatchObject({ ...endless, status: 'no_data' })
    const rows: [number, PacingStatus][] = [
      [1_00, 'on_track'],
      [299_99, 'on_track'],
      [300_00, 'exhausted'],
      [900_00, 'exhausted'],
    ]
    for (const [minor, status] of rows) {
      expect(judged({ ...fields, spend: spend(minor) })).toMatchObject({ ...endless, status })
    }
    const late = { ...fields, now: '2026-06-12T00:00:00.000Z', spend: spend(1_00) }
    expect(judged(late)).toMatchObject({ status: 'stale' })
    expect(judged({ ...late, status: 'paused' })).toMatchObject({ status: 'not_running' })
  })
})
