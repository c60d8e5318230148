/** Changes of what campaigns may spend in a day, and which of them moved most money. Pure. */

import { exponentFor } from '../../../values/money.ts'
import type { DailyAmount, ReportChange } from './schema.ts'

export type Move = {
  campaignId: string
  name: string
  at: string
  /** Place of the audit record. */
  sequence: number
  currency: string
  beforeMinor: number
  afterMinor: number
  what: Exclude<ReportChange['what'], 'several'>
  reason: string | null
  changeSetId: string | null
}

type Moved = {
  at: string
  sequence: number
  campaigns: number
  amounts: DailyAmount[]
  moves: readonly Move[]
}

const maxChanges = 10

/**
 * Moves of one change set count as one. Amounts of two currencies are not compared: the largest of
 * each come first, then the second ones. In order of time.
 */
export function mostMoney(moves: readonly Move[]): Moved[] {
  const groups = Map.groupBy(moves, (move) => move.changeSetId ?? move)
  const all = [...groups.values()].map(movedBy).filter(({ amounts }) => amounts.length > 0)
  const ranks = ranksOf(all)
  return all
    .toSorted((one, other) => rankIn(ranks, one) - rankIn(ranks, other))
    .slice(0, maxChanges)
    .toSorted((one, other) => one.sequence - other.sequence)
}

const rankIn = (ranks: ReadonlyMap<Moved, number>, moved: Moved): number =>
  ranks.get(moved) ?? Number.MAX_SAFE_INTEGER

/** By its largest place among the changes in any of its currencies. */
function ranksOf(all: readonly Moved[]): ReadonlyMap<Moved, number> {
  const ranks = new Map<Moved, number>()
  const currencies = new Set(all.flatMap(({ amounts }) => amounts.map((each) => each.currency)))
  for (const currency of currencies) {
    const sizeOf = ({ amounts }: Moved) =>
      Math.abs(amounts.find((each) => each.currency === currency)?.added_minor ?? 0)
    const own = all.filter((moved) => sizeOf(moved) > 0)
    for (const [rank, moved] of own.toSorted((a, b) => sizeOf(b) - sizeOf(a)).entries()) {
      ranks.set(moved, Math.min(rank, rankIn(ranks, moved)))
    }
  }
  return ranks
}

function movedBy(own: readonly Move[]): Moved {
  const moves = own.toSorted((one, other) => one.sequence - other.sequence)
  const { at = '', sequence = 0 } = moves[0] ?? {}
  const campaigns = new Set(moves.map(({ campaignId }) => campaignId)).size
  const byCurrency = Map.groupBy(moves, ({ currency }) => currency)
  const amounts = [...byCurrency].map(([currency, own]) => amountOf(currency, own))
  return {
    at,
    sequence,
    campaigns,
    amounts: amounts.filter(({ added_minor }) => added_minor !== 0),
    moves,
  }
}

function amountOf(currency: string, moves: readonly Move[]): DailyAmount {
  const before_minor = moves.reduce((sum, { beforeMinor }) => sum + beforeMinor, 0)
  const after_minor = moves.reduce((sum, { afterMinor }) => sum + afterMinor, 0)
  return {
    currency,
    currency_exponent: exponentFor(currency),
    before_minor,
    after_minor,
    added_minor: after_minor - before_minor,
  }
}
