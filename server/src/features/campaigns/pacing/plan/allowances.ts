/** How far the ad networks may go beyond a daily budget, by their own documents. Pure. */

import type { Row } from '../../../../database/tables/tenant-tables.ts'

export type Platform = Row<'profiles'>['platform']

export type Allowance = {
  /** On one day, of the highest budget in force on it. */
  dayPercent: number
  /** The total of a week, Sunday to Saturday, stays within the daily budgets of its days. */
  hasWeek: boolean
  /** The total of a calendar month stays within 30.4 average daily budgets. */
  hasMonth: boolean
  source: string | null
  /** When the source was read. */
  asOf: string | null
}

/** The bound of a network that documents none: the budget itself. */
const none: Allowance = {
  dayPercent: 100,
  hasWeek: false,
  hasMonth: false,
  source: null,
  asOf: null,
}

const documented: Readonly<Partial<Record<Platform, Allowance>>> = {
  google_ads: {
    dayPercent: 200,
    hasWeek: false,
    hasMonth: true,
    source: 'https://support.google.com/google-ads/answer/1704443',
    asOf: '2026-11-22',
  },
  meta: {
    dayPercent: 175,
    hasWeek: true,
    hasMonth: false,
    source: 'https://support.zenvia.com/kb/en/article/495315',
    asOf: '2026-11-22',
  },
  tiktok: {
    dayPercent: 125,
    hasWeek: true,
    hasMonth: false,
    source: 'https://ads.tiktok.com/help/article/about-dynamic-daily-budget',
    asOf: '2026-11-22',
  },
}

export const allowanceOf = (platform: Platform): Allowance => documented[platform] ?? none
