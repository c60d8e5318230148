import { reportAll } from '@flightdeckhq/sdk'
import type { Days, ResultRow } from '../contract/adapter.ts'
import { decimalOf } from '../contract/money.ts'
import type { Account } from './account.ts'
import { openSums } from './sums.ts'

/** Reports of the network, sent on as results. */

export const dayMs = 24 * 3_600_000

export const dayIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at)

const markers = /^fd:([0-9a-z]{26})$/

/** The network's ids of the campaigns that the service knows, with theirs; several of what was made anew. */
export function linkedIn({ known, former, seen }: Account): Map<string, string> {
  const linked = new Map(former)
  const bound = [...seen.keys()].flatMap((id) => {
    const campaign = known.get(id)?.campaign_id
    return campaign === undefined ? [] : [[id, campaign] as const]
  })
  for (const [id, campaign] of bound) linked.set(id, campaign)
  const named = new Set(bound.map(([, campaign]) => campaign))
  for (const [id, { marker }] of seen) {
    const marked = markers.exec(marker ?? '')?.[1]
    // A copy that a person has made has the mark, too.
    if (marked && !linked.has(id) && !named.has(`cmp_${marked}`)) linked.set(id, `cmp_${marked}`)
  }
  return linked
}

type Row = Parameters<typeof reportAll>[2] extends Iterable<infer Each> ? Each : never

/** As many rows as a report may have. */
const perReport = 1_000

/** Sends the figures of days, which replace those that were sent before: nothing is counted twice. */
export async function sendResults(
  account: Account,
  linked: ReadonlyMap<string, string>,
  days: Days,
): Promise<void> {
  const { access, adapter, facts } = account
  if (facts === null || linked.size === 0) return
  const refused = { count: 0 }
  const about = { reported_at: new Date().toISOString(), refused }
  const sums = openSums(linked)
  const rows: Row[] = []
  const add = async (campaign_id: string, row: ResultRow) => {
    rows.push({ campaign_id, ...figuresOf(row, facts.currency) })
    if (rows.length === perReport) await send(account, { rows: rows.splice(0), ...about })
  }
  for await (const row of adapter.results(access, [...linked.keys()], days)) {
    const campaign = linked.get(row.id)
    if (campaign !== undefined && !sums.take(campaign, row)) await add(campaign, row)
  }
  for (const { campaign, row } of sums.all()) await add(campaign, row)
  if (rows.length > 0) await send(account, { rows, ...about })
  if (refused.count > mostLogged) account.log.warn('more figures were refused', refused)
}

type Sending = { rows: readonly Row[]; reported_at: string; refused: { count: number } }

const mostLogged = 10

async function send(account: Account, { rows, reported_at, refused }: Sending): Promise<void> {
  const { adapter, flightdeck, metrics, log } = account
  const report = { source: adapter.platform, reported_at }
  for await (const { index, outcome, problem } of reportAll(flightdeck, report, rows)) {
    metrics.count('results_total', { outcome })
    if (!problem) continue
    refused.count += 1
    if (refused.count <= mostLogged)
      log.warn('figures were refused', { row: rows[index], problem: problem.detail })
  }
}

function figuresOf(row: ResultRow, currency: string) {
  const { date, spend_minor, impressions, clicks, conversions } = row
  const { conversion_value_minor: value = null, is_final = false } = row
  // A click on what was shown the day before: the service takes no more clicks than impressions.
  const isShown = impressions !== null && (clicks === null || clicks <= impressions)
  return {
    date,
    spend: decimalOf(spend_minor, currency),
    ...(isShown && { impressions }),
    ...(clicks !== null && { clicks }),
    ...(conversions !== null && { conversions }),
    ...(value !== null && { conversion_value: decimalOf(value, currency) }),
    is_final,
  }
}
