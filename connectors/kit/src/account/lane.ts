import { setTimeout as pause } from 'node:timers/promises'
import type { Finding } from '../contract/adapter.ts'
import type { WorkItem } from '../contract/plan.ts'
import { said } from '../telemetry/log.ts'
import type { Account, ReportInput } from './account.ts'
import { type Doing, doAll, tryAll } from './do-all.ts'
import { type InHand, openHand } from './in-hand.ts'
import type { Sent } from './sent.ts'
import { type Backfilled, openUpkeep, throwIfOver, type UpkeepTerms } from './upkeep.ts'

/** One account's work, one thing after the other. */

export type Lane = {
  profileId: string
  /** Takes items that it does not have in hand; answers how many. */
  give(items: readonly WorkItem[]): number
  /** Works until it is to stop, or the accounts are lost; what it has begun is brought to its end. */
  run(): Promise<void>
  /** Reads the whole account, and sends results that are due; answers why nothing may be sent to it. */
  look(): Promise<string | null>
  /** Sends some results of months ago, where they were asked for. */
  backfill(): Promise<Backfilled>
  /** Does work, and reports it. */
  doAll(items: readonly WorkItem[]): Promise<Sent[]>
  /** Says what works of the account, and what is missing. */
  examine(): Promise<Finding[]>
  /** Has the network judge the work, and writes nothing. */
  tryOut(items: readonly WorkItem[]): Promise<ReportInput[]>
}

export type LaneTerms = UpkeepTerms & { stop: AbortSignal }

export function openLane(account: Account, terms: LaneTerms): Lane {
  const { held, stop, pollMs } = terms
  const hand = openHand(account.profile.id)
  const upkeep = openUpkeep(account, terms)
  const { due } = upkeep
  const doing = { held, stop, limit: () => due.limit }
  const queue: WorkItem[] = []
  let wake = new AbortController()

  async function rest(): Promise<void> {
    wake = new AbortController()
    if (queue.length > 0) return
    const next = Math.max(Math.min(due.poll, due.backfill), due.limit)
    const ms = Math.max(0, next - performance.now())
    const signal = AbortSignal.any([held.signal, stop, wake.signal])
    await pause(Math.min(ms, pollMs), undefined, { signal }).catch(() => {})
  }

  async function step(): Promise<void> {
    if (performance.now() >= Math.max(due.poll, due.limit)) await upkeep.poll()
    await upkeep.results()
    const items = queue.splice(0)
    if (items.length > 0) return work(account, { doing, hand, items })
    await upkeep.backfill()
    await rest()
  }

  return {
    profileId: account.profile.id,
    give(items) {
      const fresh = hand.take(items)
      queue.push(...fresh)
      if (fresh.length > 0) wake.abort()
      return fresh.length
    },
    async run() {
      while (!held.signal.aborted && !stop.aborted) await step()
    },
    async look() {
      const fault = await upkeep.poll()
      await upkeep.results()
      return fault
    },
    backfill: upkeep.backfill,
    doAll: (items) => doAll(account, doing, items),
    examine: async () => (await account.adapter.examine?.(account.access)) ?? [],
    tryOut: (items) => tryAll(account, items),
  }
}

type Working = { doing: Doing; hand: InHand; items: readonly WorkItem[] }

async function work(account: Account, { doing, hand, items }: Working): Promise<void> {
  try {
    await doAll(account, doing, items)
    hand.letGo(items)
  } catch (error) {
    throwIfOver(doing.held, error)
    account.log.error('work was not done', { error: account.access.redact(said(error)) })
    hand.letGoLater(items)
  }
}
