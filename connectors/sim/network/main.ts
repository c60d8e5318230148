import { parseArgs } from 'node:util'
import { openNetwork } from './server.ts'
import { emptyState } from './state.ts'
import { readState, writeState } from './stored.ts'

/** `flightdeck connect sim-network [--port 9090] [--file network.json]`: a network by itself, until it is stopped. */
export async function serve(args: readonly string[]): Promise<number> {
  const options = { port: { type: 'string' }, file: { type: 'string' } } as const
  const { port = '9090', file } = parseArgs({ args: [...args], options }).values
  const state = file ? await readState(file) : emptyState()
  const recordDir = process.env.RECORD_DIR
  const network = await openNetwork({ port: Number(port), state, recordDir })
  process.stdout.write(`The simulated network is at ${network.url}.\n`)
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())
  await stopped
  await network.close()
  if (file) await writeState(file, state)
  return 0
}
