/** A connector of Google Ads to be killed: another takes its lease over at once. */
import { createFlightdeck } from '@flightdeckhq/sdk'
import { openProgress } from '../../kit/src/account/progress.ts'
import { openLog, openMetrics, runConnector } from '../../kit/src/connect.ts'
import { googleAdapter } from '../adapter.ts'
import { credential } from '../test/credential.ts'

const [baseUrl = '', token = '', url = '', file] = process.argv.slice(2)
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
await runConnector(
  {
    flightdeck: createFlightdeck({ baseUrl, token, retries: 0 }),
    adapter: googleAdapter({ url, oauthUrl: url }),
    // The same for each: what was killed holds nothing that must be waited for.
    instance: 'killed',
    readCredential: async () => credential,
    pollMs: 1_000,
    resultsMs: 3_600_000,
    backfill: file ? { months: 13, progress: await openProgress(file), stepMs: 20 } : null,
    deadlineMs: 1_000,
    waits: { readBack: [0, 20, 100], secondLook: 20, betweenLooks: 1_000, lag: 0 },
    log: openLog(),
    metrics: openMetrics(),
  },
  stop.signal,
)
process.exit()
