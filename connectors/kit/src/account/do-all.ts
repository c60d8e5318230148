import { FlightdeckConnectionError, FlightdeckError } from '@flightdeckhq/sdk'
import type { Seen } from '../contract/adapter.ts'
import { NetworkFault } from '../contract/fault.ts'
import type { CheckItem, WorkItem } from '../contract/plan.ts'
import { openBackoff } from '../lease/backoff.ts'
import type { Held } from '../lease/lease.ts'
import type { Account, ReportInput } from './account.ts'
import { carryOut, tryOut } from './carry-out.ts'
import { readOrListed } from './look.ts'
import { checkOf, reportOfFault } from './report.ts'
import { bind, type Sent, sendReports } from './sent.ts'

/** Does items of one account, one after the other, and reports them. */

export type Doing = {
  held: Held
  /** No item is begun after it. */
  stop: AbortSignal
  /** Until when the network wants no requests, by this process's clock. */
  limit: () => number
}

export async function doAll(
  account: Account,
  doing: Doing,
  items: readonly WorkItem[],
): Promise<Sent[]> {
  if (items.length === 0) return []
  const { held, stop, limit } = doing
  const found = await foundFor(account, items, limit())
  if ('reports' in found) return sendReports(account, held, found.reports)
  const sent: Sent[] = []
  const unchanged: ReportInput[] = []
  for (const item of items) {
    if (stop.aborted) break
    const reports = await reportsOf(account, doing, { item, found: found.seen })
    bindReported(account, item, reports)
    // That nothing was to be done can wait for others; what was written is reported at once.
    if (reports.every(({ outcome }) => outcome === 'unchanged')) unchanged.push(...reports)
    else sent.push(...(await sendReports(account, held, reports)))
  }
  return [...sent, ...(await sendReports(account, held, unchanged))]
}

type Item = { item: WorkItem; found: ReadonlyMap<string, Seen> }

/** The network may have set a limit since the item before. */
async function reportsOf(account: Account, { held, limit }: Doing, { item, found }: Item) {
  if (performance.now() < limit()) return [limited(account, item, limit())]
  return carryOut(account, { item, held, found })
}

/** Has the network judge the items; answers what it refuses. */
export async function tryAll(account: Account, items: readonly WorkItem[]): Promise<ReportInput[]> {
  try {
    account.facts = await account.adapter.account(account.access)
  } catch (error) {
    return items.map((item) => reportOfFault(account, item, error))
  }
  const refused = await judgedBy(account, items, () => 0)
  return refused.flatMap((report) => report ?? [])
}

/** The network's refusal of each item; null: none. */
async function judgedBy(
  account: Account,
  items: readonly WorkItem[],
  limit: Doing['limit'],
): Promise<(ReportInput | null)[]> {
  const found = await foundFor(account, items, limit())
  if ('reports' in found) return found.reports
  // A failure here is none of work, which would wait longer for it.
  const trying = { ...account, backoff: openBackoff() }
  const judged: (ReportInput | null)[] = []
  for (const item of items) {
    const isLimited = performance.now() < limit()
    judged.push(
      isLimited
        ? limited(trying, item, limit())
        : await tryOut(trying, { item, found: found.seen }),
    )
  }
  return judged
}

/** Reports the network's word on what change sets would leave; answers those that it could not judge. */
export async function judgeAll(
  account: Account,
  { held, limit }: Doing,
  items: readonly CheckItem[],
): Promise<CheckItem[]> {
  const judged = await judgedBy(account, items, limit)
  const isOpen = (at: number) => ['failed', 'unknown_outcome'].includes(judged[at]?.outcome ?? '')
  const checks = items.flatMap((item, at) => {
    const report = judged[at]
    return isOpen(at) ? [] : [checkOf(item, report && (report.error ?? gone))]
  })
  if (checks.length > 0)
    await account.flightdeck.connector.reportWork({
      ...held.named(),
      ...{ profile_id: account.profile.id, reports: [], checks },
    })
  return items.filter((_, at) => isOpen(at))
}

const gone = { code: 'gone' as const, message: 'The network has no such campaign any more.' }

const mostSpreadSeconds = 5

function limited(account: Account, item: WorkItem, until: number): ReportInput {
  const seconds = Math.max(1, (until - performance.now()) / 1_000)
  const retryAfterSeconds = seconds + Math.random() * mostSpreadSeconds
  const message = 'The account waits for its rate limit.'
  const fault = new NetworkFault('rate_limited', message, { retryAfterSeconds })
  return reportOfFault({ ...account, hear: () => {} }, item, fault)
}

/** The campaigns of the items, in one reading at most; a fault of it is that of each item. */
async function foundFor(account: Account, items: readonly WorkItem[], limit: number) {
  if (performance.now() < limit)
    return { reports: items.map((item) => limited(account, item, limit)) }
  try {
    return { seen: await readOrListed(account, items) }
  } catch (error) {
    if (error instanceof FlightdeckError || error instanceof FlightdeckConnectionError) throw error
    return { reports: items.map((item) => reportOfFault(account, item, error)) }
  }
}

/** This process knows from now on which campaign of the network is whose. */
function bindReported(account: Account, item: WorkItem, reports: readonly ReportInput[]): void {
  const { deployment_id, campaign_id, generation } = item
  for (const { network_object_id, outcome } of reports) {
    const id = network_object_id ?? item.network_object_id
    if (!id) continue
    if (outcome === 'gone' || item.why === 'remove') account.known.delete(id)
    else bind(account, id, { deployment_id, campaign_id, generation })
  }
}
