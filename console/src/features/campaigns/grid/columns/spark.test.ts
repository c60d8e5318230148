import { describe, expect, test } from 'vitest'
import { dayCount, drawnDays, type RowDays } from './spark.ts'

const tokyo = { time_zone: 'Asia/Tokyo', currency: 'JPY', currency_exponent: 0 }
const losAngeles = { ...tokyo, time_zone: 'America/Los_Angeles' }

type Reported = { spend?: number; adjustment?: number; isFinal?: boolean }

/** Days by their date, read at 16:00 UTC on November 25th: in Tokyo it is the 26th. */
const daysOf = (days: Readonly<Record<string, Reported>>): RowDays => ({
  now: Date.parse('2026-11-25T16:00:00Z'),
  quarter: 0,
  days: Object.entries(days).map(([date, { spend = 0, adjustment = 0, isFinal = true }]) => ({
    date,
    spend_minor: spend,
    adjustment_minor: adjustment,
    is_final: isFinal,
    impressions: 0,
    clicks: 0,
    conversions: null,
    revenue_minor: null,
  })),
})

const drawn = (days: Readonly<Record<string, Reported>>, campaign = tokyo) =>
  drawnDays(daysOf(days), campaign)

/** How many bars of a kind there are: each begins with a move. */
const barsIn = (path = '') => [...path.matchAll(/M/g)].length

describe('the bars of the last days', () => {
  test('end today by the clock of the campaign', () => {
    const today = { '2026-11-26': { spend: 500 } }
    expect(barsIn(drawn(today)?.final)).toBe(1)
    expect(drawn(today, losAngeles)).toBeNull()
  })

  test('begin fourteen days before, and the day before is left out', () => {
    expect(barsIn(drawn({ '2026-11-13': { spend: 500 } })?.final)).toBe(1)
    expect(drawn({ '2026-11-12': { spend: 500 } })).toBeNull()
  })

  test('are filled where a day is final, an outline where it is not, a dot where nothing is known', () => {
    const { final, provisional, missing } =
      drawn({ '2026-11-25': { spend: 500 }, '2026-11-26': { spend: 100, isFinal: false } }) ?? {}
    expect([final, provisional, missing].map(barsIn)).toEqual([1, 1, dayCount - 2])
  })

  test('a little differs from nothing, and the largest has the whole height', () => {
    const days = {
      '2026-11-24': { spend: 0 },
      '2026-11-25': { spend: 1 },
      '2026-11-26': { spend: 100_000 },
    }
    const heights = [...(drawn(days)?.final ?? '').matchAll(/v-(\d+)/g)].map(([, height]) => height)
    expect(heights).toEqual(['1', '3', '20'])
  })

  test('a day that was corrected below zero is a line', () => {
    expect(drawn({ '2026-11-26': { spend: 100, adjustment: -300 } })?.final).toContain('v-1h')
  })

  test('are said in words, with corrections', () => {
    const days = {
      '2026-11-24': { spend: 1_000, adjustment: -200 },
      '2026-11-25': { spend: 400, isFinal: false },
    }
    expect(drawn(days)?.text).toBe(
      'JPY\u00a01,200 in 14 days; JPY\u00a0400 on Nov 25, the last day with data; ' +
        '1 day provisional; 12 days without data',
    )
  })

  test('are drawn again once the campaign has another time zone', () => {
    const days = daysOf({ '2026-11-26': { spend: 500 } })
    expect(drawnDays(days, tokyo)).not.toBeNull()
    expect(drawnDays(days, losAngeles)).toBeNull()
  })
})
