import { reportAll } from '@flightdeckhq/sdk'
import type { Days, ResultRow } from '../contract/adapter.ts'
import { decimalOf } from '../contract/money.ts'
import type { Account } from './account.ts'

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

/** The campaign of the service, by the mark, or as this process knows it. */
export function campaignOf({ known, seen }: Account, id: string): string | null {
  const marked = markers.exec(seen.get(id)?.marker ?? '')?.[1]
  return known.get(id)?.campaign_id ?? (marked ? `cmp_${marked}` : null)
}

/** The network's ids of the campaigns that the service knows. */
export const linkedIn = (account: Account): string[] =>
  [...account.seen.keys()].filter((id) => campaignOf(account, id) !== null)

type Row = Parameters<typeof reportAll>[2] extends Iterable<infer Each> ? Each : never

/** As many rows as a report may have. */
const perReport = 1_000

/** Sends the figures of days, which replace those that were sent before: nothing is counted twice. */
export async function sendResults(
  account: Account,
  ids: readonly string[],
  days: Days,
): Promise<void> {
  const { access, adapter, facts } = account
  if (facts === null || ids.length === 0) return
  const reported_at = new Date().toISOString()
  const refused = { count: 0 }
  let rows: Row[] = []
  for await (const row of adapter.results(access, ids, days)) {
    const campaign_id = campaignOf(account, row.id)
    if (campaign_id === null) continue
    rows.push({ campaign_id, ...figuresOf(row, facts.currency) })
    if (rows.length < perReport) continue
    await send(account, { rows, reported_at, refused })
    rows = []
  }
  if (rows.length > 0) await send(account, { rows, reported_at, refused })
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
