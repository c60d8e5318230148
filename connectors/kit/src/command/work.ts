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

type Asking = { flightdeck: Flightdeck; held: Held; signal: AbortSignal }

export async function askForWork(
  { flightdeck, held, signal }: Asking,
  wait_seconds: number,
): Promise<Given> {
  const { data, checks = [] } = await flightdeck.connector.getWork(
    { ...held.named(), limit: mostItems, wait_seconds, checks: true },
    { signal, timeoutMs: (wait_seconds + 10) * 1_000, retries: 0 },
  )
  return { items: data, checks }
}

type Working = Asking & { lanes: readonly Lane[]; backoff: Backoff; log: Log }

/** Works until the accounts are lost, or the process is to end. */
export async function work(working: Working): Promise<void> {
  const { held, lanes, signal, backoff, log } = working
  let inHandMs = shortestMs
  while (!signal.aborted) {
    try {
      const asked = await askForWork(working, waitSeconds)
      backoff.forget('work')
      const given = lanes.reduce((sum, lane) => sum + lane.give(asked), 0)
      const isAllInHand = asked.items.length + asked.checks.length > 0 && given === 0
      if (isAllInHand) await pause(inHandMs, undefined, { signal })
      inHandMs = isAllInHand ? Math.min(longestMs, inHandMs * 2) : shortestMs
    } catch (error) {
      if (signal.aborted) return
      if (isProblem(error, 'lease_lost')) return held.lose()
      log.warn('the service gave no work', { error: said(error) })
      await pause(backoff.next('work') / 10, undefined, { signal }).catch(() => {})
    }
  }
}
