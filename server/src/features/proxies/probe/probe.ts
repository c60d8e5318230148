import type { Socket } from 'node:net'
import { type EgressSettings, openEgress } from '../../../egress/connect.ts'
import { inSeconds } from '../../../values/failure-text.ts'
import type { ProxyCredentials, ProxyReply } from '../schema.ts'
import { noResponse, type ProbeResponse, reportedAddress, sendRequest } from './answer.ts'
import { dial, secure } from './connection.ts'
import { ProbeFailure, wordsOf, wrongCredentials } from './failure.ts'
import { authorizationOf, type TunnelTarget, tunnelByConnect, tunnelBySocks } from './tunnel.ts'

/** The address and credentials of a proxy. */
export type Access = Pick<ProxyReply, 'protocol' | 'host' | 'port'> & ProxyCredentials

/** The result of a check: `last_check` without its time. */
export type ProbeResult = Omit<NonNullable<ProxyReply['last_check']>, 'at'>

export type ProbeSettings = EgressSettings & {
  /** The URL requested through the proxy: http or https, user-info is not sent. */
  checkUrl: string
  /** Timeout for the whole check. */
  totalMs?: number
}

/**
 * Makes one request through the proxy and reports the result; connection faults are results. Throws
 * only when aborted by the signal. The proxy's host passes the egress guard; the check URL is the
 * operator's own and is resolved by the proxy. Redirects are not followed.
 */
export async function probe(
  access: Access,
  { checkUrl, totalMs = 10_000, ...egress }: ProbeSettings,
  signal?: AbortSignal,
): Promise<ProbeResult> {
  signal?.throwIfAborted()
  using opened = new DisposableStack()
  const answer = noResponse()
  const url = new URL(checkUrl)
  const visit: ProbeState = {
    access,
    url,
    egress,
    totalMs,
    answer,
    opened,
    began: performance.now(),
  }
  const error = await Promise.race([
    follow(visit).then(() => null, wordsOf),
    timedOut(visit, signal),
  ])
  signal?.throwIfAborted()
  return resultOf(answer, error ?? outcome(visit))
}

type ProbeState = {
  access: Access
  url: URL
  egress: EgressSettings
  totalMs: number
  answer: ProbeResponse
  opened: DisposableStack
  began: number
}

/** Also ends on the signal. The remaining response is not awaited. */
function timedOut(
  { totalMs, answer, opened }: ProbeState,
  signal?: AbortSignal,
): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const end = () =>
    resolve(answer.status === null ? `no answer within ${inSeconds(totalMs)}` : null)
  const timer = setTimeout(end, totalMs)
  signal?.addEventListener('abort', end)
  opened.defer(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  })
  return promise
}

/** An HTTP proxy forwards plain HTTP itself; everything else uses a tunnel. */
const isForwarded = ({ access, url }: ProbeState): boolean =>
  access.protocol !== 'socks5' && url.protocol === 'http:'

async function follow(visit: ProbeState): Promise<void> {
  const { access, url, answer, began } = visit
  const line = await connectionTo(visit)
  const headers = { host: url.host }
  const path = `${url.pathname}${url.search}`
  if (isForwarded(visit)) {
    const whole = {
      path: `${url.origin}${path}`,
      headers: { ...headers, ...authorizationOf(access) },
    }
    return sendRequest(line, whole, { answer, began })
  }
  await sendRequest(await through(line, visit), { path, headers }, { answer, began })
}

/** To the proxy itself. */
async function connectionTo({ access, egress, totalMs, opened }: ProbeState): Promise<Socket> {
  const { protocol, host, port } = access
  const timeoutMs = Math.min(5_000, totalMs / 2)
  const name = host.includes(':') ? `[${host}]` : host
  const guard = openEgress({ ...egress, connectTimeoutMs: timeoutMs })
  const destination = await guard.destinationOf(new URL(`http://${name}:${port}`))
  if ('fault' in destination) throw new ProbeFailure(destination.fault.message)
  const line = await dial(destination.addresses, { port, timeoutMs, opened })
  if (protocol !== 'https') return line
  return secure(line, { host, name: 'the proxy', ca: egress.ca }, opened)
}

/** To the target behind the proxy. */
async function through(line: Socket, visit: ProbeState): Promise<Socket> {
  const { access, url, egress, totalMs, opened } = visit
  const target = targetOf(url)
  if (access.protocol === 'socks5') {
    await tunnelBySocks(line, access, { target, timeoutMs: totalMs })
  } else {
    await tunnelByConnect(line, access, target)
  }
  if (url.protocol === 'http:') return line
  return secure(line, { host: target.host, name: 'the check URL', ca: egress.ca }, opened)
}

const targetOf = ({ protocol, hostname, port }: URL): TunnelTarget => ({
  host: hostname.replace(/^\[(.*)\]$/, '$1'),
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
})

/**
 * Through a tunnel the response is the target's, so any status below 500 shows that the proxy
 * works. A forwarding proxy may itself have refused the request, which looks like any other 4xx.
 */
function outcome(visit: ProbeState): string | null {
  const status = visit.answer.status ?? 0
  if (!isForwarded(visit)) return status < 500 ? null : `the check URL answered ${status}`
  if (status === 407) return wrongCredentials
  return status < 400 ? null : `the proxy or the check URL answered ${status}`
}

const resultOf = (answer: ProbeResponse, error: string | null): ProbeResult => ({
  ok: error === null,
  latency_ms: answer.latencyMs,
  egress_ip: error === null ? reportedAddress(answer) : null,
  error,
})
