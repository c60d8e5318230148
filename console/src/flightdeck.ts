import { createFlightdeck, type Schema } from '@flightdeckhq/sdk'

/** The console is a client like any other, of the service that served it. */
export const flightdeck = createFlightdeck({
  baseUrl: `${location.origin}/api/v1`,
  cookie: true,
  retries: 1,
  fetch: watched,
})

/** For the session, which is outside the API. */
export const sessionClient = createFlightdeck({
  baseUrl: location.origin,
  cookie: true,
  retries: 0,
  fetch: watched,
})

/** Sees each answer: the session may have ended, or something was written. */
type Watcher = (response: Response, request: Request) => void

const watchers = new Set<Watcher>()

export function watchAnswers(watcher: Watcher): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

async function watched(request: Request): Promise<Response> {
  const again = request.clone()
  // ETags are versions: the browser's cache would keep what changes without one, such as checks.
  const response = await fetch(request, { cache: 'no-store' })
  for (const watcher of watchers) watcher(response, request)
  if (response.status !== 403 || !(await mayRepeat(await response.clone().json()))) return response
  // A new login takes its time: what ends a request that hangs does not end this one.
  return fetch(new Request(again, { signal: null }), { cache: 'no-store' })
}

type Refused = { code?: unknown }

let mayRepeat = async (_: Refused): Promise<unknown> => false

/** Answers whether a refused request is to be sent again. */
export function onRefusal(answer: typeof mayRepeat): void {
  mayRepeat = answer
}

export type { Schema }
export type ApiKey = Schema<'ApiKey'>
export type AuditLog = Schema<'AuditLog'>
export type Campaign = Schema<'Campaign'>
export type Client = Schema<'Client'>
export type Member = Schema<'Member'>
export type Profile = Schema<'Profile'>
export type ProxyServer = Schema<'Proxy'>
export type Scope = NonNullable<Member['scope']>
export type Template = Schema<'Template'>
export type WebhookEndpoint = Schema<'WebhookEndpoint'>
