import { createFlightdeck, type ResultRow, reportAll } from '@flightdeckhq/sdk'

const { FLIGHTDECK_URL = 'http://127.0.0.1:8080', FLIGHTDECK_TOKEN = '' } = process.env

if (FLIGHTDECK_TOKEN === '') {
  console.error('Set FLIGHTDECK_TOKEN to an API key with the role reporter.')
  process.exit(2)
}

export const flightdeck = createFlightdeck({
  baseUrl: `${FLIGHTDECK_URL}/api/v1`,
  token: FLIGHTDECK_TOKEN,
})

type Report = { source: string; reportedAt: Date; rows: ResultRow[] }

/** Reports the rows, prints what became of them, and lets the program fail if one was refused. */
export async function report({ source, reportedAt, rows }: Report): Promise<void> {
  const counts: Record<string, number> = {}
  const envelope = { source, reported_at: reportedAt.toISOString() }
  for await (const { index, outcome, problem } of reportAll(flightdeck, envelope, rows)) {
    counts[outcome] = (counts[outcome] ?? 0) + 1
    if (outcome === 'failed') console.error(rows[index], JSON.stringify(problem))
  }
  console.log(source, counts)
  if (counts.failed) process.exitCode = 1
}

/** The day so long ago, in UTC. */
export const dayAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
