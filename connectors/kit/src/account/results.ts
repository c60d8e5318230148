import { reportAll } from '@flightdeckhq/sdk'
import type { ResultRow } from '../contract/adapter.ts'
import { decimalOf } from '../contract/money.ts'
import type { Account } from './account.ts'

/** Reports of the network, sent on as results. */

const dayMs = 24 * 3_600_000

const dayIn = (timeZone: string, at: number) =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at)

const markers = /^fd:([0-9a-z]{26})$/

/** The campaign of the service, by the mark, or as this process knows it. */
function campaignOf({ known, seen }: Account, id: string): string | null {
  const marked = markers.exec(seen.get(id)?.marker ?? '')?.[1]
  return known.get(id)?.campaign_id ?? (marked ? `cmp_${marked}` : null)
}

/** Sends the figures of the last days; networks restate them. */
export async function sendResults(account: Account, days: number): Promise<void> {
  const { access, adapter, facts, flightdeck, log } = account
  if (facts === null) return
  const ids = [...account.seen.keys()].filter((id) => campaignOf(account, id) !== null)
  if (ids.length === 0) return
  const now = Date.now()
  const [from, to] = [dayIn(facts.time_zone, now - days * dayMs), dayIn(facts.time_zone, now)]
  const reported_at = new Date(now).toISOString()
  const rows: Parameters<typeof reportAll>[2] extends Iterable<infer Row> ? Row[] : never = []
  for await (const row of adapter.results(access, ids, { from, to })) {
    const campaign_id = campaignOf(account, row.id)
    if (campaign_id !== null) rows.push({ campaign_id, ...figuresOf(row, facts.currency) })
  }
  if (rows.length === 0) return
  const report = { source: adapter.platform, reported_at }
  for await (const { index, outcome, problem } of reportAll(flightdeck, report, rows)) {
    account.metrics.count('results_total', { outcome })
    if (problem) log.warn('figures were refused', { row: rows[index], problem: problem.detail })
  }
}

const figuresOf = (
  { date, spend_minor, impressions, clicks, conversions }: ResultRow,
  currency: string,
) => ({
  date,
  spend: decimalOf(spend_minor, currency),
  ...(impressions !== null && { impressions }),
  ...(clicks !== null && { clicks }),
  ...(conversions !== null && { conversions }),
})
