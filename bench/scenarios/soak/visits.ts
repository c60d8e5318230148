/** Soak clients beyond plain requests: logins, event streams, and clients that hang up. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'undici'
import { requestText } from '../../tools/load.ts'
import type { Tenant } from '../../tools/seed.ts'

export type Person = { email: string; password: string }

/** Logs in, reads, refreshes the token and logs out, so each session and token is new. */
export async function logIn(pool: Pool, person: Person): Promise<number> {
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, token?: string) => {
    const reply = await pool.request({
      path: `/api/v1${path}`,
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(path === '/auth/login' && { 'content-type': 'application/json' }),
      },
      body: path === '/auth/login' ? JSON.stringify(person) : null,
    })
    const text = await reply.body.text()
    return { status: reply.statusCode, token: text && JSON.parse(text).token }
  }
  const first = await call('POST', '/auth/login')
  if (first.status !== 200) return first.status
  await call('GET', '/auth/me', first.token)
  const second = await call('POST', '/auth/refresh', first.token)
  return (await call('DELETE', '/auth/logout', second.token)).status
}

/** Follows the events for a few seconds, then disconnects. */
export async function follow(port: number, { token }: Tenant, seconds: number): Promise<void> {
  await write(port, [requestText({ method: 'GET', path: '/api/v1/events/stream', token })], seconds)
}

/** Ways to disconnect or to send nonsense. */
const abrupt: ((tenant: Tenant, turn: number) => string)[] = [
  ({ token }) => requestText({ method: 'GET', path: '/api/v1/campaigns?limit=100', token }),
  ({ token, profileId }, turn) =>
    requestText({
      method: 'POST',
      path: '/api/v1/campaigns',
      token,
      body: { name: `Gone ${turn}`, objective: 'sales', profile_id: profileId },
    }),
  ({ token }) =>
    `POST /api/v1/campaigns HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"name":',
  ({ token }) =>
    `POST /api/v1/campaigns HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 90000000\r\n\r\n{"name":',
  () => 'GET /api/v1/campaigns HTTP/1.1\r\nHost: a\r\nX-Half',
  () => 'NONSENSE\r\n\r\n',
  () => '',
]

/** Sends something and disconnects: before the answer, in the body, in the headers, or silently. */
export async function hangUp(port: number, tenant: Tenant, turn: number): Promise<void> {
  const text = abrupt[turn % abrupt.length]?.(tenant, turn) ?? ''
  await write(port, [text], (turn % 5) / 100)
}

async function write(port: number, texts: readonly string[], seconds: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.resume()
  for (const text of texts) if (text !== '') socket.write(text)
  await sleep(seconds * 1000)
  socket.destroy()
}
