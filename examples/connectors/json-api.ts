/**
 * Reports what a JSON API answers, page by page: `node json-api.ts <url> <source>`. The API gets
 * `since=<day>` and answers `{ rows: [...], next: "<url>" | null }`; for another one change `Page`,
 * `nextOf` and `rowOf`. `API_KEY` is sent as the bearer token.
 */
import type { ResultRow } from '@flightdeckhq/sdk'
import { dayAgo, report } from './connect.ts'

type Page = {
  rows: {
    campaign: string
    day: string
    cost: string | number
    impressions?: number
    clicks?: number
    conversions?: number
    revenue?: string | number
  }[]
  next: string | null
}

/** For so long networks correct their figures: then a day is final. */
const daysUntilFinal = 28

const [url, source] = process.argv.slice(2)
if (!url || !source) {
  console.error('Usage: node json-api.ts <url> <source>')
  process.exit(2)
}

// Before the first page: what changes while the pages are read belongs to the next run.
const reportedAt = new Date()
const rows: ResultRow[] = []
for await (const page of pagesFrom(`${url}?since=${dayAgo(daysUntilFinal + 7)}`)) {
  rows.push(...page.rows.map(rowOf))
}
await report({ source, reportedAt, rows })

async function* pagesFrom(first: string): AsyncGenerator<Page> {
  const { API_KEY } = process.env
  const headers = API_KEY ? { authorization: `Bearer ${API_KEY}` } : {}
  for (let next: string | null = first; next !== null; ) {
    const reply: Response = await fetch(next, { headers, signal: AbortSignal.timeout(60_000) })
    if (!reply.ok) throw new Error(`${next} answers ${reply.status}`)
    const page: Page = JSON.parse(await reply.text())
    yield page
    next = nextOf(page, next)
  }
}

/** The URL of the next page, which may be given without the host. */
function nextOf({ next }: Page, current: string): string | null {
  return next === null ? null : new URL(next, current).href
}

function rowOf(row: Page['rows'][number]): ResultRow {
  return {
    external_id: row.campaign,
    date: row.day,
    spend: row.cost,
    impressions: row.impressions ?? null,
    clicks: row.clicks ?? null,
    conversions: row.conversions ?? null,
    conversion_value: row.revenue ?? null,
    is_final: row.day < dayAgo(daysUntilFinal),
  }
}
