import { setTimeout as pause } from 'node:timers/promises'
import type { Flightdeck } from '@flightdeckhq/sdk'
import { UsageError } from '../faults.ts'
import type { Operation } from '../operations.ts'

type Outcome = Readonly<Record<string, unknown>> & { id: string; status: string }

/** What goes on after the answer, and the states in which it has ended: well, or not. */
type Waiting = { path: RegExp; good: readonly string[]; bad: readonly string[] }

const kinds: readonly Waiting[] = [
  {
    path: /^\/change_sets(\/\{id\}(\/(apply|approve))?)?$/,
    good: ['applied', 'reverted'],
    bad: ['rejected', 'failed', 'cancelled', 'expired'],
  },
  {
    path: /^\/webhook_endpoints\/\{id\}\/deliveries\/\{delivery_id\}(\/redeliver)?$/,
    good: ['succeeded'],
    bad: ['failed', 'skipped', 'cancelled'],
  },
]

/** How to wait for what a command began; undefined where it is done with its answer. */
export const waitingFor = ({ path, method, answer }: Operation): Waiting | undefined =>
  answer !== undefined || method === 'PATCH' || method === 'DELETE'
    ? undefined
    : kinds.find((each) => each.path.test(path))

const usualSeconds = 300
const mostSeconds = 86_400
const betweenMs = { first: 200, most: 5_000 }

/** The seconds that `--wait` gives; alone it means five minutes. */
export function secondsIn(text: string | undefined): number {
  if (text === undefined) return usualSeconds
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (seconds >= 1 && seconds <= mostSeconds) return seconds
  throw new UsageError(`--wait takes seconds from 1 to ${mostSeconds}, not "${text}".`)
}

type Waited = { answer: Outcome; exitCode: number }

/** Looks again until it has ended or the time is over: exit code 0, 1 where it ended badly, or 7. */
export async function waitFor(
  client: Flightdeck,
  { waiting, path, seconds }: { waiting: Waiting; path: string; seconds: number },
): Promise<Waited> {
  const until = performance.now() + seconds * 1_000
  for (let betweenNow = betweenMs.first; ; betweenNow = Math.min(2 * betweenNow, betweenMs.most)) {
    const answer = await client.request<Outcome>('GET', path)
    if (waiting.good.includes(answer.status)) return { answer, exitCode: 0 }
    if (waiting.bad.includes(answer.status)) return { answer, exitCode: 1 }
    const left = until - performance.now()
    if (left <= 0) {
      process.stderr.write(`After ${seconds} s it is still ${answer.status}.\n`)
      return { answer, exitCode: 7 }
    }
    await pause(Math.min(betweenNow, left))
  }
}
