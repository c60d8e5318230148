import { randomBytes } from 'node:crypto'
import { nowText, type Services, type WriteContext } from '../../../../kernel/context.ts'
import { insert, rowsOf } from '../../../../kernel/rows.ts'
import { sha256Hex } from '../../../../values/canonical-json.ts'
import { newId } from '../../../../values/ids.ts'
import { challengeIds } from '../resource.ts'
import { ceremonyMs } from './ceremonies.ts'

// The challenge for a passkey that logs in alone. It is not stored until it is used, as anyone may ask for
// one: the service knows it again by its own signature.

const randomLength = 24
const timeLength = 8
const signatureLength = 32
const purpose = 'login by a passkey'

export function newLoneChallenge({ clock, crypto }: Services): string {
  const until = Buffer.alloc(timeLength)
  until.writeBigUInt64BE(BigInt(clock.now().getTime() + ceremonyMs))
  const said = Buffer.concat([randomBytes(randomLength), until])
  const signature = crypto.cipher.sign(said.toString('base64url'), purpose)
  return Buffer.concat([said, signature]).toString('base64url')
}

/** Whether this service asked for it in the last five minutes. */
export function isOurs({ clock, crypto }: Services, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== randomLength + timeLength + signatureLength) return false
  const said = bytes.subarray(0, randomLength + timeLength)
  const signature = bytes.subarray(said.length)
  if (!crypto.cipher.verify(said.toString('base64url'), purpose, signature)) return false
  return said.readBigUInt64BE(randomLength) > BigInt(clock.now().getTime())
}

/** Marks it as used by the person; false if it was before. A passkey is of one person. */
export async function spendLoneChallenge(
  ctx: WriteContext,
  { userId, challenge }: { userId: string; challenge: string },
): Promise<boolean> {
  const secret_hash = sha256Hex(challenge)
  const spent = rowsOf(ctx, 'login_challenges').where('secret_hash', '=', secret_hash).select('id')
  if (await spent.executeTakeFirst()) return false
  const now = nowText(ctx.services)
  insert(ctx, 'login_challenges', {
    id: newId(challengeIds),
    user_id: userId,
    secret_hash,
    tries: 0,
    created_at: now,
    expires_at: new Date(Date.parse(now) + ceremonyMs).toISOString(),
    ended_at: now,
  })
  return true
}
