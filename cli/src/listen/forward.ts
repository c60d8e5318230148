import { webhooks } from '@flightdeckhq/sdk/webhooks'
import { made } from '../operations.ts'
import { reasonOf } from '../output/problem.ts'
import type { ReceivedEvent } from './follow.ts'

/** The local program's answer to an event. */
export type Answer = { status: number | null; duration_ms: number; error: string | null }

export type ForwardTarget = { url: string; secret: string; signal: AbortSignal }

const timeoutMs = 15_000

/** Posts the event as a webhook would: the same body and signature. */
export async function forward({ id, data }: ReceivedEvent, target: ForwardTarget): Promise<Answer> {
  const began = performance.now()
  const answer = await post(id ?? '', data, target).then(
    (status) => ({ status, error: null }),
    (error) => ({ status: null, error: reasonOf(error) }),
  )
  return { ...answer, duration_ms: Math.round(performance.now() - began) }
}

async function post(id: string, body: string, target: ForwardTarget): Promise<number> {
  const { url, secret, signal } = target
  const headers = {
    'content-type': 'application/json',
    'user-agent': `flightdeck-webhooks/${made.version}`,
    ...(await webhooks.sign(body, secret, { id })),
  }
  const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const request = { method: 'POST', headers, body, signal: either, redirect: 'manual' } as const
  const reply = await fetch(url, request)
  await reply.body?.cancel()
  return reply.status
}
