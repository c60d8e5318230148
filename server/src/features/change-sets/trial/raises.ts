/** Sums up what a day can cost more after a change set, for the envelope of an agent. Pure. */

import type { Amounts } from '../../../database/tables/json-columns.ts'
import type { LedgerEvent } from '../../../kernel/ledger.ts'
import { raiseOf } from '../../campaigns/guardrails/daily-cost.ts'
import { actionBack } from './actions.ts'
import { type Campaign, isRunning, type Pair, pairsOf } from './spend.ts'

/** A campaign with the daily cost that was last counted for it. */
export type CountedCampaign = Campaign & { readonly daily_cost_minor: number | null }

type Times = { now: string; revertAt: string | null }

export type RaiseMeter = {
  /** Adds what one operation has done, by its events. */
  add(events: readonly Pick<LedgerEvent<Campaign>, 'type' | 'data'>[]): void
  /** The raises so far, by currency in minor units; without those of zero. */
  total(): Amounts
}

/**
 * Judges each operation on the state before it. What sinks counts nothing, so that nothing is netted;
 * what is set back at `revertAt` counts what that raises.
 */
export function raiseMeter(
  campaigns: readonly CountedCampaign[],
  { now, revertAt }: Times,
): RaiseMeter {
  const counted = new Map(campaigns.map(({ id, daily_cost_minor }) => [id, daily_cost_minor]))
  const sums = new Map<string, number>()
  const count = ({ currency }: Campaign, raise: number) =>
    void (raise > 0 && sums.set(currency, (sums.get(currency) ?? 0) + raise))

  return {
    add(events) {
      for (const pair of pairsOf([], events)) {
        const { before, after } = pair
        if (!after) continue
        const known = counted.get(after.id) ?? null
        const raise = raiseBetween(pair, { at: now, counted: known })
        count(after, raise)
        counted.set(after.id, countedAfter(pair, { at: now, counted: known, raise }))
        if (before && revertAt !== null) count(before, raiseOnTheWayBack(before, after, revertAt))
      }
    },
    total: () => Object.fromEntries([...sums].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}

type Judging = { at: string; counted: number | null }

/** Money of another currency was never spent before. */
function raiseBetween({ before, after }: Pair, { at, counted }: Judging): number {
  if (!isRunning(after)) return 0
  const ran = isRunning(before) && before.currency === after.currency ? before : null
  return raiseOf(ran && { ...ran, daily_cost_minor: counted }, after, at)
}

/** As `checkBudget` keeps it on the row: the accepted cost stands until a change raises it. */
function countedAfter(
  { before, after }: Pair,
  { at, counted, raise }: Judging & { raise: number },
): number | null {
  if (!isRunning(after)) return counted
  const cost = raiseOf(null, after, at)
  return isRunning(before) && raise === 0 ? Math.min(counted ?? cost, cost) : cost
}

/** Fields go back as they were, and the status as far as an action leads there. */
function raiseOnTheWayBack(before: Campaign, after: Campaign, at: string): number {
  const back = actionBack(after.status, before.status)?.to ?? after.status
  const status = before.status === after.status ? after.status : back
  return raiseBetween({ before: after, after: { ...before, status } }, { at, counted: null })
}

/** Whether campaigns, each for itself, would cost a day more than the amounts allow together. */
export function isRaisedAbove(pairs: readonly Pair[], most: Amounts, at: string): boolean {
  const sums = new Map<string, number>()
  for (const pair of pairs) {
    if (!pair.after) continue
    const { currency } = pair.after
    const raise = raiseBetween(pair, { at, counted: null })
    sums.set(currency, (sums.get(currency) ?? 0) + raise)
  }
  return [...sums].some(([currency, sum]) => sum > (most[currency] ?? 0))
}
