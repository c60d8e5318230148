import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { main, type Network } from '../kit/src/connect.ts'
import { simAdapter } from './adapter.ts'
import { openNetwork } from './network/server.ts'
import { readState, writeState } from './network/stored.ts'

/** `flightdeck connect sim`: needs nothing else, as it starts a network of its own. */

const network: Network = {
  name: 'sim',
  options: {
    'sim-url': { value: 'address', about: 'a simulated network that runs (default: starts one)' },
    'sim-file': {
      value: 'path',
      about: 'keeps its own network (default: ./data/sim-network.json)',
    },
    'sim-port': { value: 'port', about: 'of its own network (default: any free port)' },
  },
  async open(options) {
    const url = options['sim-url']
    if (url !== undefined) return { adapter: simAdapter({ url }), credential: 'sim' }
    return startOwn(options['sim-file'] ?? './data/sim-network.json', options['sim-port'])
  },
}

const saveMs = 1_000

/** A network in this process, which is the same after a restart. */
async function startOwn(file: string, port = '0') {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const state = await readState(file)
  const own = await openNetwork({ state, port: Number(port), recordDir: process.env.RECORD_DIR })
  process.stderr.write(`The simulated network is at ${own.url}, and kept in ${file}.\n`)
  const save = () => writeState(file, state)
  const timer = setInterval(() => void save().catch(() => {}), saveMs)
  return {
    adapter: simAdapter({ url: own.url, opensAccounts: true }),
    credential: 'sim',
    close: async () => {
      clearInterval(timer)
      await own.close()
      await save()
    },
  }
}

export const connect = (args: readonly string[]): Promise<number> => main(network, args)
