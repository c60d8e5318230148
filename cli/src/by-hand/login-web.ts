import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { createFlightdeck } from '@flightdeckhq/sdk'
import type { Stored } from '../account/store.ts'
import { NotLoggedIn } from '../faults.ts'
import { made } from '../operations.ts'

type Begun = {
  code: string
  secret: string
  confirm_url: string
  interval_seconds: number
}
type Claimed = { status: 'waiting' | 'refused' | 'confirmed'; login: Stored | null }

/** Shows a code, and waits until a person has confirmed it in the console: no secret is typed here. */
export async function withCode(url: string): Promise<Stored> {
  const client = createFlightdeck({ baseUrl: `${url}/api/v1`, token: 'none', fetch: named })
  const begun = await client.request<Begun>('POST', '/auth/login_code', { body: {} })
  process.stderr.write(
    `Open ${placeOf(url, begun)}\nand enter the code ${begun.code} (it ends in 10 minutes).\n`,
  )
  for (;;) {
    await pause(begun.interval_seconds * 1_000)
    const body = { secret: begun.secret }
    const { status, login } = await client.request<Claimed>('POST', '/auth/login_code/claim', {
      body,
    })
    if (status === 'refused') throw new NotLoggedIn('The login was refused in the console.')
    if (login) return { token: login.token, expires_at: login.expires_at }
  }
}

/** Says who asks, as the console shows it to the person. */
function named(request: Request): Promise<Response> {
  // A header has no letters beyond Latin-1.
  const machine = hostname().replaceAll(/[^\x20-\x7e]/g, '?')
  request.headers.set('user-agent', `flightdeck/${made.version} on ${machine}`)
  return fetch(request)
}

/** A service that was not given its public address knows this machine's alone. */
function placeOf(url: string, { confirm_url }: Begun): string {
  const isOwn = new Set(['127.0.0.1', 'localhost', '[::1]', '0.0.0.0'])
  return isOwn.has(new URL(confirm_url).hostname) ? `${url}/console/device` : confirm_url
}
