import type { ResultRow } from '../contract/adapter.ts'

/** Sums of the days of campaigns that have several ids in the network: a day of a campaign is reported once. */

export type Sums = {
  /** Adds a row to the sum of its day; false: the campaign has no other id. */
  take(campaign: string, row: ResultRow): boolean
  all(): Iterable<{ campaign: string; row: ResultRow }>
}

export function openSums(linked: ReadonlyMap<string, string>): Sums {
  const counts = Map.groupBy(linked.values(), (campaign) => campaign)
  const days = new Map<string, { campaign: string; row: ResultRow }>()
  return {
    take(campaign, row) {
      if ((counts.get(campaign)?.length ?? 0) < 2) return false
      const key = `${campaign} ${row.date}`
      const known = days.get(key)
      days.set(key, { campaign, row: known ? sumOf(known.row, row) : row })
      return true
    },
    all: () => days.values(),
  }
}

/** A figure that one of them does not have, the sum has not either. */
const plus = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other

const millionth = 1e6

function sumOf(one: ResultRow, other: ResultRow): ResultRow {
  const conversions = plus(one.conversions, other.conversions)
  return {
    ...one,
    spend_minor: one.spend_minor + other.spend_minor,
    impressions: plus(one.impressions, other.impressions),
    clicks: plus(one.clicks, other.clicks),
    // Parts of conversions are of six decimals, which their sum in binary may not be.
    conversions: conversions === null ? null : Math.round(conversions * millionth) / millionth,
    conversion_value_minor: plus(
      one.conversion_value_minor ?? null,
      other.conversion_value_minor ?? null,
    ),
    is_final: (one.is_final ?? false) && (other.is_final ?? false),
  }
}
