/**
 * `npm run bench [-- <scenario>]`: benchmarks of core, webhooks, bulk, change-sets, results, pacing,
 * growth, scale, soak, storage, audit, clients, connectors, code, mcp, people, citus, console or lighthouse.
 * `--quick` only checks that everything runs; do not quote its figures.
 */
import { benchAudit } from './scenarios/audit.ts'
import { benchBulk } from './scenarios/bulk.ts'
import { benchChangeSets } from './scenarios/change-sets.ts'
import { benchCitus } from './scenarios/citus.ts'
import { benchClients } from './scenarios/clients.ts'
import { benchCode } from './scenarios/code.ts'
import { benchConnectors } from './scenarios/connectors.ts'
import { benchConsole } from './scenarios/console.ts'
import { benchCore } from './scenarios/core.ts'
import { benchGrowth } from './scenarios/growth.ts'
import { benchLighthouse } from './scenarios/lighthouse.ts'
import { benchMcp } from './scenarios/mcp.ts'
import { benchPacing } from './scenarios/pacing.ts'
import { benchPeople } from './scenarios/people.ts'
import { benchResults } from './scenarios/results.ts'
import { benchScale } from './scenarios/scale.ts'
import { benchSoak } from './scenarios/soak.ts'
import { benchStorage } from './scenarios/storage.ts'
import { benchWebhooks } from './scenarios/webhooks.ts'

const benches = {
  core: benchCore,
  webhooks: benchWebhooks,
  bulk: benchBulk,
  results: benchResults,
  pacing: benchPacing,
  'change-sets': benchChangeSets,
  console: benchConsole,
  growth: benchGrowth,
  scale: benchScale,
  soak: benchSoak,
  storage: benchStorage,
  lighthouse: benchLighthouse,
  audit: benchAudit,
  clients: benchClients,
  connectors: benchConnectors,
  code: benchCode,
  mcp: benchMcp,
  people: benchPeople,
  citus: benchCitus,
}
const named = process.argv.slice(2).find((word) => !word.startsWith('-')) ?? 'core'
const bench = benches[named as keyof typeof benches]
if (bench) await bench()
else {
  console.error(`There is no bench "${named}": ${Object.keys(benches).join(', ')}.`)
  process.exitCode = 1
}
