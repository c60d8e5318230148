import { setTimeout as pause } from 'node:timers/promises'
import type { Finding } from '../contract/adapter.ts'
import type { CheckItem, WorkItem } from '../contract/plan.ts'
import { said } from '../telemetry/log.ts'
import type { Account, ReportInput } from './account.ts'
import { type Doing, doAll, judgeAll, tryAll } from './do-all.ts'
import { handsOf, type InHand } from './in-hand.ts'
import type { Sent } from './sent.ts'
import { type Backfilled, openUpkeep, throwIfOver, type UpkeepTerms } from './upkeep.ts'

/** One account's work, one thing after the other. */

export type Lane = {
  profileId: string
  /** Takes what it does not have in hand; answers how much. */
  give(given: Given): number
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
  /** Has the network judge what change sets would leave, and reports it. */
  judge(items: readonly CheckItem[]): Promise<unknown>
  /** Has the network judge the work, and writes nothing. */
  tryOut(items: readonly WorkItem[]): Promise<ReportInput[]>
}

/** Work, and what is only to be judged. */
export type Given = { items: readonly WorkItem[]; checks: readonly CheckItem[] }

export type LaneTerms = UpkeepTerms & { stop: AbortSignal }

export function openLane(account: Account, terms: LaneTerms): Lane {
  const { held, stop, pollMs } = terms
  const [hand, judging] = handsOf(account.profile.id)
  const [toDo, toJudge, spent] = [openQueue(hand), openQueue(judging), nothingSpent()]
  const upkeep = openUpkeep(account, terms)
  const doing = { held, stop, limit: () => upkeep.due.limit }
  let wake = new AbortController()

  async function rest(): Promise<void> {
    wake = new AbortController()
    if (!toDo.isEmpty() || !toJudge.isEmpty()) return
    const next = Math.max(Math.min(upkeep.due.poll, upkeep.due.backfill), upkeep.due.limit)
    const ms = Math.max(0, next - performance.now())
    const signal = AbortSignal.any([held.signal, stop, wake.signal])
    await pause(Math.min(ms, pollMs), undefined, { signal }).catch(() => {})
  }

  async function step(): Promise<void> {
    if (performance.now() >= Math.max(upkeep.due.poll, upkeep.due.limit)) await upkeep.poll()
    await upkeep.results()
    const items = toDo.take()
    if (items.length > 0) return work(account, { doing, hand, items })
    const checks = toJudge.take(mostJudged)
    if (checks.length > 0) return judge(account, { doing, hand: judging, items: checks, spent })
    await upkeep.backfill()
    await rest()
  }

  return {
    profileId: account.profile.id,
    give({ items, checks }) {
      const given = toDo.put(items) + toJudge.put(checks)
      if (given > 0) wake.abort()
      return given
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
    judge: (items) => judgeAll(account, doing, items),
    tryOut: (items) => tryAll(account, items),
  }
}

/** A queue of what is in hand and not begun yet. */
function openQueue<Item>(hand: InHand<Item>) {
  const queue: Item[] = []
  return {
    isEmpty: () => queue.length === 0,
    /** Takes what is not in hand; answers how much. */
    put(items: readonly Item[]): number {
      const fresh = hand.take(items)
      queue.push(...fresh)
      return fresh.length
    },
    take: (most = queue.length) => queue.splice(0, most),
  }
}

/** Work that comes meanwhile waits for no more than these. */
const mostJudged = 5
/** A network's quota is for work: the rest of an hour's checks wait for the next. */
const mostAnHour = 200
const hourMs = 3_600_000

type Spent = { checks: number; since: number }

const nothingSpent = (): Spent => ({ checks: 0, since: performance.now() })

function isLeft(spent: Spent, checks: number): boolean {
  const now = performance.now()
  if (now - spent.since >= hourMs) Object.assign(spent, nothingSpent())
  spent.checks += checks
  return spent.checks <= mostAnHour
}

type Working<Item> = { doing: Doing; hand: InHand<Item>; items: readonly Item[] }

async function judge(
  account: Account,
  { doing, hand, items, spent }: Working<CheckItem> & { spent: Spent },
): Promise<void> {
  if (!isLeft(spent, items.length)) return hand.letGoLater(items)
  try {
    const open = await judgeAll(account, doing, items)
    hand.letGo(items.filter((item) => !open.includes(item)))
    hand.letGoLater(open)
  } catch (error) {
    throwIfOver(doing.held, error)
    account.log.error('change sets were not judged', { error: account.access.redact(said(error)) })
    hand.letGoLater(items)
  }
}

async function work(account: Account, { doing, hand, items }: Working<WorkItem>): Promise<void> {
  try {
    await doAll(account, doing, items)
    hand.letGo(items)
  } catch (error) {
    throwIfOver(doing.held, error)
    account.log.error('work was not done', { error: account.access.redact(said(error)) })
    hand.letGoLater(items)
  }
}
