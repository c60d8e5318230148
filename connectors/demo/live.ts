import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createFlightdeck, type Flightdeck } from '@flightdeckhq/sdk'
import { openLog, openMetrics, type Platform, runConnector, waits } from '../kit/src/connect.ts'
import { simAdapter } from '../sim/adapter.ts'
import { openNetwork, type SimNetwork } from '../sim/network/server.ts'
import { readState, writeState } from '../sim/network/stored.ts'
import { meddle } from './meddle.ts'

/** The demo lives: a simulated network stands for the networks of two accounts. */

export type DemoAccount = { id: string; platform: Platform; account_ref: string; campaigns: number }

/** The answer of the command that fills. */
export type Filled = {
  campaigns?: number
  days_of_results?: number
  url: string
  data_dir: string
  connector: { key: string; profiles: DemoAccount[] }
}

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Runs until it is stopped; answers the exit code. */
export async function live(filled: Filled): Promise<number> {
  const { url, data_dir, connector } = filled
  const stop = stopped()
  if (filled.campaigns !== undefined)
    say(
      `Created ${filled.campaigns} campaigns, and ${filled.days_of_results} days of their results.`,
    )
  const kept = await openKept(join(data_dir, 'demo-network.json'))
  const flightdeck = createFlightdeck({ baseUrl: `${url}/api/v1`, token: connector.key })
  try {
    await untilServed(flightdeck, url, stop)
    say(
      `A simulated network runs campaigns of ${connector.profiles.length} accounts, until Ctrl-C.`,
    )
    say(`What it does of them: ${url}/console/deployments`)
    const { network, isNew } = kept
    const work = [
      ...connector.profiles.map((account) => run(account, { flightdeck, network, stop })),
      ...(isNew ? [meddle(network, connector.profiles, stop)] : []),
    ]
    await Promise.all(work)
  } finally {
    await kept.close()
  }
  say('The simulated network has ended.')
  return 0
}

function stopped(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}

const saveMs = 5_000

/** A network that is the same after a restart. */
async function openKept(file: string) {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  const state = await readState(file)
  const isNew = state.accounts.size === 0
  const network = await openNetwork({ state })
  const timer = setInterval(() => void writeState(file, state).catch(() => {}), saveMs)
  const close = async () => {
    clearInterval(timer)
    await network.close()
    await writeState(file, state)
  }
  return { network, isNew, close }
}

const askMs = 1_000

/** The service may be started after the demo. */
async function untilServed(flightdeck: Flightdeck, url: string, stop: AbortSignal): Promise<void> {
  let isSaid = false
  while (!stop.aborted) {
    try {
      await flightdeck.profiles.list({ limit: 1 }, { retries: 0, signal: stop })
      return
    } catch {
      if (!isSaid && !stop.aborted)
        say(`Waiting for the service at ${url}: start it with npm start.`)
      isSaid = true
      await pause(askMs, undefined, { signal: stop }).catch(() => {})
    }
  }
}

type Running = { flightdeck: Flightdeck; network: SimNetwork; stop: AbortSignal }

/** Seconds, where others have minutes: one watches it. */
const pollMs = 5_000
const resultsMs = 60_000

/** One connector for each account, as each is one of another network. */
function run(account: DemoAccount, { flightdeck, network, stop }: Running): Promise<void> {
  const sim = simAdapter({ url: network.url, opensAccounts: true })
  const adapter = { ...sim, platform: account.platform }
  return runConnector(
    {
      flightdeck,
      adapter,
      instance: `demo-${randomUUID().slice(0, 8)}`,
      profileIds: [account.id],
      readCredential: async () => 'sim',
      pollMs,
      resultsMs,
      waits: { ...waits, lag: pollMs },
      log: openLog(() => {}),
      metrics: openMetrics(),
    },
    stop,
  )
}
