import { setTimeout as pause } from 'node:timers/promises'
import { type Flightdeck, isProblem } from '@flightdeckhq/sdk'
import type { Given, Lane } from '../account/lane.ts'
import type { Backoff } from '../lease/backoff.ts'
import type { Held } from '../lease/lease.ts'
import { type Log, said } from '../telemetry/log.ts'

/** Asks the service for work, and gives it to the lanes of its accounts. */

const mostItems = 100
const waitSeconds = 25
/** Items are given until they are reported: while all are in hand, ever longer until asking again. */
const [shortestMs, longestMs] = [100, 2_000]
/** So are checks: while all are in hand, only work is waited for, which then comes at once. */
const checksAgainMs = 5_000

type Asking = { flightdeck: Flightdeck; held: Held; signal: AbortSignal }

export async function askForWork(
  { flightdeck, held, signal }: Asking,
  { wait_seconds = 0, checks: isAsking = true } = {},
): Promise<Given> {
  const { data, checks = [] } = await flightdeck.connector.getWork(
    { ...held.named(), limit: mostItems, wait_seconds, checks: isAsking },
    { signal, timeoutMs: (wait_seconds + 10) * 1_000, retries: 0 },
  )
  return { items: data, checks }
}

type Working = Asking & { lanes: readonly Lane[]; backoff: Backoff; log: Log }

/** Works until the accounts are lost, or the process is to end. */
export async function work(working: Working): Promise<void> {
  const { held, signal, backoff, log } = working
  let paces: Paces = { inHandMs: shortestMs, checksAt: 0 }
  while (!signal.aborted) {
    try {
      paces = await askOnce(working, paces)
    } catch (error) {
      if (signal.aborted) return
      if (isProblem(error, 'lease_lost')) return held.lose()
      log.warn('the service gave no work', { error: said(error) })
      await pause(backoff.next('work') / 10, undefined, { signal }).catch(() => {})
    }
  }
}

type Paces = { inHandMs: number; checksAt: number }

async function askOnce(working: Working, { inHandMs, checksAt }: Paces): Promise<Paces> {
  const { lanes, signal, backoff } = working
  const asked = await askForWork(working, waitingUntil(checksAt))
  backoff.forget('work')
  const given = lanes.reduce((sum, lane) => sum + lane.give(asked), 0)
  const areHad = asked.checks.length > 0 && given === 0
  const next = areHad ? performance.now() + checksAgainMs : checksAt
  if (asked.items.length === 0 || given > 0) return { inHandMs: shortestMs, checksAt: next }
  await pause(inHandMs, undefined, { signal })
  return { inHandMs: Math.min(longestMs, inHandMs * 2), checksAt: next }
}

function waitingUntil(checksAt: number) {
  const seconds = Math.ceil((checksAt - performance.now()) / 1_000)
  return seconds <= 0
    ? { wait_seconds: waitSeconds, checks: true }
    : { wait_seconds: seconds, checks: false }
}
