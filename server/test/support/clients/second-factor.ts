import { Secret, TOTP } from 'otpauth'
import type { Client, World } from '../world.ts'

/** The time code of a secret at a time, some steps off. */
export const timeCode = (secret: string, now: Date, stepsOff = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: now.getTime() + stepsOff * 30_000,
  })

export type Guarded = {
  id: string
  secret: string
  recoveryCodes: string[]
  /** A code that was not used yet: the clock moves on for it. */
  code(): string
}

/** Gives the client's person a verified factor. */
export async function guard({ clock }: Pick<World, 'clock'>, client: Client): Promise<Guarded> {
  const begun = (await client.post('/auth/factors', { kind: 'totp' })).json()
  const code = () => {
    clock.advance(30_000)
    return timeCode(begun.secret, clock.now())
  }
  const reply = await client.post(`/auth/factors/${begun.id}/verify`, { otp: code() })
  if (reply.statusCode !== 200) throw new Error(`not verified: ${reply.body}`)
  return { id: begun.id, secret: begun.secret, recoveryCodes: reply.json().recovery_codes, code }
}
