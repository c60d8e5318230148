/** `node connectors/sim/network/main.ts [--port 9090] [--file network.json]`: a network to try connectors on. */
import { parseArgs } from 'node:util'
import { openNetwork } from './server.ts'
import { emptyState } from './state.ts'
import { readState, writeState } from './stored.ts'

const { values } = parseArgs({ options: { port: { type: 'string' }, file: { type: 'string' } } })
const { port = '9090', file } = values
const state = file ? await readState(file) : emptyState()
const network = await openNetwork({
  port: Number(port),
  state,
  recordDir: process.env.RECORD_DIR,
})
console.log(JSON.stringify({ msg: 'listening', url: network.url }))
const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())
await stopped
await network.close()
if (file) await writeState(file, state)
