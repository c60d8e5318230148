import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IncidentLog } from './incident-log.ts'

/** The fields of an API object that the load reads. */
export type Shown = {
  id: string
  name: string
  status: string
  code: string
  [member: string]: unknown
}

export type Answer = { status: number; headers: Headers; body: Shown; text: string }

export type Ask = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Answer>

type Settings = {
  /** Interchangeable: they are replicas of each other. */
  urls: readonly string[]
  token: string
  incidentLog: IncidentLog
  /** Also receives each incident. */
  onIncident?: () => void
}

const pauseMs = 50
const giveUpAfterMs = 30_000
/** No client waits forever. */
const patienceMs = 20_000

/** An earlier attempt still runs, although its answer was lost, or was 503 for being late. */
export const running = '409: running'
/** After 15 s of them it must have ended: a statement fails after nine, and late work commits nothing. */
const mostRunning = 15_000 / pauseMs

/**
 * Sends requests as a careful client does: after a 503 or a lost connection it retries with the
 * same `Idempotency-Key`, at another replica if there is one. It avoids a lost replica, as a load
 * balancer does.
 */
export function carefulClient({ urls, token, incidentLog, onIncident = () => {} }: Settings): Ask {
  let turn = Math.floor(Math.random() * urls.length)
  const lost = new Set<string>()

  function nextUrl(): string {
    turn += 1
    const alive = urls.filter((url) => !lost.has(url))
    return alive[turn % alive.length] ?? ''
  }

  return async (method, path, body) => {
    const headers = headersOf(method, token)
    const giveUpAt = performance.now() + giveUpAfterMs
    const met: string[] = []
    for (;;) {
      const url = nextUrl()
      const began = performance.now()
      const outcome = await attempt(`${url}/api/v1${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      })
      incidentLog.slowestMs = Math.max(incidentLog.slowestMs, performance.now() - began)
      const incident = incidentOf(outcome, met, incidentLog)
      if (incident === null) return outcome as Answer
      met.push(incident)
      if ('lost' in outcome && lost.size < urls.length - 1) lost.add(url)
      incidentLog.incidents.push({ at: performance.now(), what: incident })
      onIncident()
      const hasEnded =
        performance.now() > giveUpAt || incidentLog.isClosed || incidentLog.wrong.length > 0
      if (hasEnded) throw new Error(`${method} ${path}: ${met.join(', ')}`)
      await sleep(pauseMs)
    }
  }
}

function headersOf(method: string, token: string): Record<string, string> {
  const authorization = `Bearer ${token}`
  if (method === 'GET') return { authorization }
  return {
    authorization,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  }
}

type Lost = { lost: string }

async function attempt(
  url: string,
  init: { method: string; headers: Record<string, string>; body: string | undefined },
): Promise<Answer | Lost> {
  const { body, ...rest } = init
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const reply = await fetch(url, { ...rest, signal, ...(body === undefined ? {} : { body }) })
    const text = await reply.text()
    return { status: reply.status, headers: reply.headers, body: JSON.parse(text || '{}'), text }
  } catch (error) {
    return { lost: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  const { cause, name } = error as Error & { cause?: { code?: string } }
  return cause?.code ?? name
}

const isRunning = (incident: string) => incident === running

const passing = new Set(['unavailable', 'overloaded', 'shutting_down'])

/** The reason to retry, or null; records anything that is neither an answer nor such a reason. */
function incidentOf(
  outcome: Answer | Lost,
  met: readonly string[],
  incidentLog: IncidentLog,
): string | null {
  if ('lost' in outcome) {
    if (outcome.lost === 'TimeoutError') incidentLog.wrong.push(`no answer within ${patienceMs} ms`)
    return `lost: ${outcome.lost}`
  }
  const { status, headers, body, text } = outcome
  if (body.code === 'idempotency_in_progress' && met.length > 0) {
    const isStuck = met.length > mostRunning && met.slice(-mostRunning).every(isRunning)
    if (isStuck) incidentLog.wrong.push('the first attempt runs on')
    return running
  }
  if (headers.get('idempotency-replayed')) incidentLog.unheard += 1
  if (status < 500) return null
  const isPassing = status === 503 && passing.has(body.code)
  if (!isPassing || !(Number(headers.get('retry-after')) >= 1)) {
    incidentLog.wrong.push(`${status} ${headers.get('retry-after')} ${text}`)
  }
  return `${status}: ${body.code}`
}
