import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { createFlightdeck, type Flightdeck } from '@flightdeckhq/sdk'
import { openWatch, type Watch, type Written } from './watch.ts'

/** Rounds in which a campaign changes, and the connector is killed at any moment. */

export type Killing = {
  baseUrl: string
  owner: Flightdeck
  /** The key of the connector. */
  key: string
  profileId: string
  network: KilledNetwork
  rounds: number
  random: () => number
}

export type KilledNetwork = {
  url: string
  /** The connector to be killed: a program that takes the service, a key and the network’s address. */
  program: string
  /** The settings that each deployment has. */
  settings: Readonly<Record<string, unknown>>
  /** Requests so far. */
  asked(): number
  /** Has answers lost and slow, or no more. */
  disturb(isOn: boolean): void
  /** The writes of each campaign so far, oldest first; what was judged may be left out. */
  written(): readonly Written[]
  /** The marks of the campaigns that are there. */
  marks(): string[]
}

export type Verdict = {
  campaigns: number
  /** Campaigns of the network that have the mark of another. */
  duplicates: string[]
  /** Writes that spend more than was wanted within a poll interval before. */
  excesses: string[]
  /** Deployments that were not in sync in the end. */
  unfinished: string[]
}

const mostCampaigns = 50
/** A connector is killed around one of its first requests, or after this long without them. */
const mostRequests = 8
const longestLifeMs = 8_000

export async function killedRounds(killing: Killing): Promise<Verdict> {
  const { network, rounds, random } = killing
  const watch = openWatch(network)
  network.disturb(true)
  for (let round = 0; round < rounds; round += 1) {
    const child = start(killing)
    const end = requested(network, Math.floor(random() * mostRequests))
    await change(killing, watch)
    await end
    await pause(random() * 30)
    child.kill('SIGKILL')
    await once(child, 'exit')
    watch.judge()
  }
  network.disturb(false)
  const unfinished = await finish(killing, watch)
  watch.judge()
  return { campaigns: watch.ids().length, ...watch.findings(), unfinished }
}

/** Waits until the network was asked that often. */
async function requested({ asked }: KilledNetwork, number: number): Promise<void> {
  const [before, until] = [asked(), performance.now() + longestLifeMs]
  while (asked() <= before + number && performance.now() < until) await pause(2)
}

const start = ({ baseUrl, key, network }: Killing): ChildProcess =>
  spawn(process.execPath, [network.program, baseUrl, key, network.url], { stdio: 'ignore' })

/** One change of one campaign, as a person makes it. */
async function change(killing: Killing, watch: Watch): Promise<void> {
  const { owner, random } = killing
  const ids = watch.ids()
  const daily_budget = 10 + Math.floor(random() * 90)
  if (ids.length < mostCampaigns && (ids.length === 0 || random() < 0.5))
    return deploy(killing, watch, daily_budget)
  const id = ids[Math.floor(random() * ids.length)] ?? ''
  const { run } = watch.wanted(id)
  if (random() < 0.5) {
    const answered = watch.want(id, { daily: daily_budget * 100 })
    await owner.campaigns.update(id, { daily_budget })
    answered()
    return
  }
  const answered = watch.want(id, { run: run === 'enabled' ? 'paused' : 'enabled' })
  await (run === 'enabled' ? owner.campaigns.pause(id) : owner.campaigns.resume(id))
  answered()
}

async function deploy(
  { owner, profileId, network: { settings } }: Killing,
  watch: Watch,
  daily_budget: number,
) {
  const { id } = await owner.campaigns.create({
    name: `Campaign ${watch.ids().length}`,
    objective: 'sales',
    profile_id: profileId,
    daily_budget,
    currency: 'USD',
  })
  const answered = watch.want(id, { daily: daily_budget * 100, run: 'enabled' })
  await owner.campaigns.launch(id)
  await owner.campaigns.putDeployment(id, { mode: 'create', settings })
  answered()
}

const longestFinishMs = 90_000

/** A connector that is not killed brings all to what it should be; answers what it does not. */
async function finish(killing: Killing, watch: Watch): Promise<string[]> {
  const child = start(killing)
  const until = performance.now() + longestFinishMs
  let unfinished = watch.ids()
  while (unfinished.length > 0 && performance.now() < until) {
    await pause(200)
    const all = await killing.owner.deployments
      .list({ profile_id: killing.profileId })
      .toArray({ limit: 100 })
    const done = all.filter(({ state }) => state === 'in_sync').map((each) => each.campaign_id)
    unfinished = watch.ids().filter((id) => !done.includes(id))
  }
  child.kill('SIGTERM')
  await once(child, 'exit')
  return unfinished
}

export const clientOf = (baseUrl: string, token: string): Flightdeck =>
  createFlightdeck({ baseUrl, token })
