/**
 * `npm run bench [-- core | webhooks | bulk | scale | soak | audit]`: benchmarks on this machine.
 * `--quick` only checks that everything runs; do not quote its figures.
 */
import { benchAudit } from './scenarios/audit.ts'
import { benchBulk } from './scenarios/bulk.ts'
import { benchCore } from './scenarios/core.ts'
import { benchScale } from './scenarios/scale.ts'
import { benchSoak } from './scenarios/soak.ts'
import { benchWebhooks } from './scenarios/webhooks.ts'

const benches = {
  core: benchCore,
  webhooks: benchWebhooks,
  bulk: benchBulk,
  scale: benchScale,
  soak: benchSoak,
  audit: benchAudit,
}
const named = process.argv.slice(2).find((word) => !word.startsWith('-')) ?? 'core'
const bench = benches[named as keyof typeof benches]
if (bench) await bench()
else {
  console.error(`There is no bench "${named}": ${Object.keys(benches).join(', ')}.`)
  process.exitCode = 1
}
