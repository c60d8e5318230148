import { setTimeout as pause } from 'node:timers/promises'
import { type Flightdeck, FlightdeckError, isProblem } from '@flightdeckhq/sdk'
import { type Account, type ReportInput, type Waits, waits } from '../account/account.ts'
import type { Backfill } from '../account/backfill.ts'
import type { Ceilings } from '../account/ceiling.ts'
import { closedLane } from '../account/closed-lane.ts'
import { type Lane, openLane } from '../account/lane.ts'
import type { Sent } from '../account/sent.ts'
import type { Adapter, Finding } from '../contract/adapter.ts'
import type { ExchangeLine } from '../contract/exchange-line.ts'
import { NetworkFault } from '../contract/fault.ts'
import { openBackoff } from '../lease/backoff.ts'
import { type Held, hold, LeaseEnded } from '../lease/lease.ts'
import { openAccess } from '../network/access.ts'
import type { SecretOf } from '../network/credentials.ts'
import { type Log, said } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { askForWork, work } from './work.ts'

/** Runs a connector: one process, a lane for each account. */

export type RunnerOptions = {
  flightdeck: Flightdeck
  adapter: Adapter
  instance: string
  /** Empty: all that the key may hold. */
  profileIds?: readonly string[]
  readCredential(of: SecretOf): Promise<string>
  ceilings?: Ceilings
  pollMs?: number
  resultsMs?: number
  /** Results of months ago are sent too; null: only those of the last days. */
  backfill?: Backfill | null
  /** A request to the network may take this long. */
  deadlineMs?: number
  ttlSeconds?: number
  renewMs?: number
  waits?: Waits
  log: Log
  metrics: Metrics
  /** Hears what networks are asked and answer. */
  onExchange?: (exchange: ExchangeLine) => void
  /** Hears whether the accounts are held. */
  onHeld?: (isHeld: boolean) => void
}

const defaults = {
  profileIds: [],
  ceilings: null,
  pollMs: 60_000,
  resultsMs: 3_600_000,
  backfill: null,
  deadlineMs: 20_000,
  ttlSeconds: 60,
  renewMs: 20_000,
  waits,
  onExchange: () => {},
  onHeld: () => {},
}

type Settings = Required<RunnerOptions>

const settingsOf = (options: RunnerOptions): Settings => ({ ...defaults, ...options })

/** Runs until the signal; what is being written is brought to its end before. */
export async function runConnector(options: RunnerOptions, stop: AbortSignal): Promise<void> {
  const settings = settingsOf(options)
  const { log, metrics, onHeld } = settings
  const memory: Memory = new Map()
  const backoff = openBackoff()
  while (!stop.aborted) {
    const held = await holdOrWait(settings, backoff, stop)
    if (!held) return
    metrics.set('lease_held', 1)
    onHeld(true)
    log.info('the accounts are held', { profiles: held.lease.profiles.map(({ id }) => id) })
    await workUnder(settings, { held, memory, stop })
    onHeld(false)
    metrics.set('lease_held', 0)
    await held.release()
  }
}

async function holdOrWait(
  settings: Settings,
  backoff: ReturnType<typeof openBackoff>,
  stop: AbortSignal,
): Promise<Held | null> {
  while (!stop.aborted) {
    try {
      const held = await hold(settings)
      backoff.forget('lease')
      return held
    } catch (error) {
      if (isMisuse(error)) throw error
      const isTaken = isProblem(error, 'lease_held')
      settings.log.warn(isTaken ? 'another connector holds an account' : 'no lease', {
        error: said(error),
      })
      const ms = Math.min(settings.renewMs, backoff.next('lease'))
      await pause(ms, undefined, { signal: stop }).catch(() => {})
    }
  }
  return null
}

/** Refusals that no waiting mends. */
const isMisuse = (error: unknown): boolean =>
  error instanceof FlightdeckError && [401, 403, 422].includes(error.status)

/** The facts of accounts that a new lease does not change. */
type Memory = Map<string, Pick<Account, 'known' | 'writtenAt' | 'backoff'>>

type Under = { held: Held; memory: Memory; stop: AbortSignal }

async function workUnder(settings: Settings, { held, memory, stop }: Under): Promise<void> {
  const { flightdeck, log } = settings
  const signal = AbortSignal.any([held.signal, stop])
  const lanes = openLanes(settings, { held, memory, stop })
  const backoff = openBackoff()
  const runs = lanes.map((lane) =>
    lane.run().catch((error) => {
      const isEnd = held.signal.aborted || error instanceof LeaseEnded
      if (!isEnd) log.error('a lane has ended', { profile: lane.profileId, error: said(error) })
      held.lose()
    }),
  )
  await work({ flightdeck, held, signal, lanes, backoff, log })
  await Promise.all(runs)
}

function openLanes(settings: Settings, { held, memory, stop }: Under): Lane[] {
  const { pollMs, resultsMs, backfill, log, flightdeck } = settings
  return held.lease.profiles.map((profile) => {
    try {
      const account = openAccount(settings, { held, memory, profile })
      return openLane(account, { held, stop, pollMs, resultsMs, backfill })
    } catch (error) {
      if (!(error instanceof NetworkFault)) throw error
      log.error('an account cannot be spoken to', { profile: profile.id, error: error.message })
      return closedLane({ profile, flightdeck, log }, { held }, error)
    }
  })
}

type Opening = Omit<Under, 'stop'> & { profile: Account['profile'] }

function openAccount(settings: Settings, { held, memory, profile }: Opening): Account {
  const { adapter, flightdeck, ceilings, waits, metrics, deadlineMs, readCredential } = settings
  const accountRef = profile.account_ref
  if (accountRef === null)
    throw new NetworkFault('blocked', 'The profile has no account_ref.', {
      code: 'setting',
    })
  const kept = memory.get(profile.id) ?? {
    known: new Map(),
    writtenAt: new Map(),
    backoff: openBackoff(),
  }
  memory.set(profile.id, kept)
  const access = openAccess({
    profile,
    accountRef,
    url: adapter.url,
    origins: adapter.origins ?? [],
    sandbox: held.lease.sandbox,
    readCredential: () => readCredential({ accountRef, credentialRef: profile.credential_ref }),
    authorize: (credential, access) => adapter.authorize(credential, access),
    // A write that has begun is waited for when the process is to end: its deadline is short.
    signal: held.signal,
    deadlineMs,
    mayWrite: (ms) => held.check(ms),
    onExchange: settings.onExchange,
    onRequest: (method) => metrics.count('network_requests_total', { method }),
  })
  const log = settings.log.with({ profile: profile.id })
  const common = { adapter, flightdeck, ceilings, waits, log, metrics, access, profile }
  const { signal } = held
  const nothingSeen = {
    ...{ facts: null, seen: new Map(), unsure: new Map(), listedAt: 0, listing: null },
    former: new Map(),
  }
  const listedMs = settings.pollMs * 1.2
  return { ...kept, ...common, ...nothingSeen, signal, listedMs, hear: () => {} }
}

/** The outcome of a round: what was reported, and why nothing may be sent to some accounts. */
export type Round = { sent: Sent[]; faults: { profile_id: string; fault: string }[] }

/** More askings than this are no one round. */
const mostAskings = 1_000

/** One round over all accounts. */
export async function runOnce(options: RunnerOptions): Promise<Round> {
  const settings = atOnce(settingsOf(options))
  return underLease(settings, async (held, lanes) => {
    const round: Round = { sent: [], faults: [] }
    for (const lane of lanes) {
      const fault = await lane.look()
      if (fault !== null) round.faults.push({ profile_id: lane.profileId, fault })
    }
    round.sent.push(...(await workThrough(lanes, { ...settings, held, signal: held.signal })))
    round.faults.push(...(await backfillAll(lanes)))
    return round
  })
}

/** Does what there is, then judges what change sets would leave. */
async function workThrough(
  lanes: readonly Lane[],
  asking: Parameters<typeof askForWork>[0],
): Promise<Sent[]> {
  const sent: Sent[] = []
  for (let asked = 0; asked < mostAskings; asked += 1) {
    const { items, checks } = await askForWork(asking)
    for (const lane of lanes) {
      sent.push(...(await lane.doAll(ownOf(lane, items))))
      await lane.judge(ownOf(lane, checks))
    }
    if (items.length === 0) break
  }
  return sent
}

/** Asking for one round is waiting for its end, and for nothing else. */
const atOnce = (settings: Settings): Settings => ({
  ...settings,
  backfill: settings.backfill && { ...settings.backfill, stepMs: 0 },
})

async function backfillAll(lanes: readonly Lane[]): Promise<Round['faults']> {
  const faults: Round['faults'] = []
  for (const lane of lanes) {
    let last = await lane.backfill()
    while (last.isMore) last = await lane.backfill()
    if (last.fault !== null) faults.push({ profile_id: lane.profileId, fault: last.fault })
  }
  return faults
}

const ownOf = <Item extends { profile_id: string }>({ profileId }: Lane, items: readonly Item[]) =>
  items.filter(({ profile_id }) => profile_id === profileId)

/** Findings about the accounts, and the work that would be refused. */
export type Check = { findings: Finding[]; refused: ReportInput[] }

/** Reads, and has the network judge what is to be done; writes nothing. */
export async function checkConnector(options: RunnerOptions): Promise<Check> {
  const settings = settingsOf(options)
  return underLease(settings, async (held, lanes) => {
    const check: Check = { findings: [], refused: [] }
    for (const lane of lanes) check.findings.push(...(await lane.examine()))
    const { items } = await askForWork({ ...settings, held, signal: held.signal })
    for (const lane of lanes) check.refused.push(...(await lane.tryOut(ownOf(lane, items))))
    return check
  })
}

const never = new AbortController().signal

async function underLease<Outcome>(
  settings: Settings,
  act: (held: Held, lanes: Lane[]) => Promise<Outcome>,
): Promise<Outcome> {
  const held = await hold(settings)
  try {
    const lanes = openLanes(settings, { held, memory: new Map(), stop: never })
    return await act(held, lanes)
  } finally {
    await held.release()
  }
}
