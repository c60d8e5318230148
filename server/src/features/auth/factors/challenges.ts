import { randomBytes } from 'node:crypto'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import { throttled } from '../../../identity/logins/throttled.ts'
import { relyingPartyOf } from '../../../identity/relying-party.ts'
import { audited } from '../../../kernel/change.ts'
import {
  type BareContext,
  type Context,
  nowText,
  type Services,
  type WriteContext,
} from '../../../kernel/context.ts'
import { insert, update } from '../../../kernel/rows.ts'
import { privateCounter } from '../../../limits/counters/private-counter.ts'
import { Problem } from '../../../problems/problem.ts'
import { sha256Hex } from '../../../values/canonical-json.ts'
import { newId } from '../../../values/ids.ts'
import { challengeIds } from './resource.ts'
import { type StoredFactor, verifiedFactorsOf } from './stored.ts'

/** A login whose password was right, and that waits for a second factor. */
export type Challenge = Row<'login_challenges'>

const lifetimeMs = 5 * 60_000
const maxTries = 5
const secretBytes = 32

type Person = { readonly id: string; readonly name: string }

/** The 401 that asks for a second factor, with a challenge that a second request answers. */
export async function secondFactorRequired(ctx: Context, person: Person): Promise<Problem> {
  const secret = randomBytes(secretBytes).toString('base64url')
  const methods = methodsOf(ctx, await verifiedFactorsOf(ctx, person.id))
  const resource = { type: 'user', id: person.id, name: person.name }
  const request = ctx.request && { ...ctx.request, status: 401 }
  const entry = { action: 'auth.login_challenged', resource }
  await audited({ ...ctx, request }, entry, async (ctx) => {
    const now = nowText(ctx.services)
    insert(ctx, 'login_challenges', {
      id: newId(challengeIds),
      user_id: person.id,
      secret_hash: sha256Hex(secret),
      tries: 0,
      created_at: now,
      expires_at: new Date(Date.parse(now) + lifetimeMs).toISOString(),
    })
  })
  return factorAsked({ challenge: secret, methods })
}

type AskedFor = { challenge: string | null; methods: readonly string[] }

export const factorAsked = (members: AskedFor) =>
  new Problem('second_factor_required', 'The login needs a second factor.', { members })

/** The members of a request that the person's factors can answer by. */
export function methodsOf({ services }: BareContext, factors: readonly StoredFactor[]): string[] {
  const names = { totp: 'otp', passkey: 'passkey', recovery_codes: 'recovery_code' } as const
  const party = relyingPartyOf(services.config)
  const usable = factors.filter(
    ({ kind, code_hashes }) => code_hashes?.length !== 0 && (kind !== 'passkey' || party),
  )
  return Object.entries(names)
    .filter(([kind]) => usable.some((factor) => factor.kind === kind))
    .map(([, name]) => name)
}

/** Guesses at challenges from one address; a challenge has 256 bits. */
const guesses = { limit: 30, seconds: 60 }

export const challengeOver = () =>
  new Problem('invalid_credentials', 'The challenge has ended: log in again.', {
    members: { tries_left: 0 },
  })

/** The open challenge of a secret; 401 for one that ended, and for none. */
export async function openedChallenge(ctx: BareContext, secret: string): Promise<Challenge> {
  const counter = privateCounter(ctx.services, { name: 'challenges', seconds: guesses.seconds })
  const address = ctx.request?.ip ?? ''
  const { used, msLeft } = await counter.look(address)
  if (used >= guesses.limit) throw throttled(msLeft)
  const row = await ctx.reader
    .kysely()
    .selectFrom('login_challenges')
    .select(columnsOf.login_challenges)
    .where('secret_hash', '=', sha256Hex(secret))
    .executeTakeFirst()
  if (!row) await counter.take(address)
  if (!row || isOver(row, nowText(ctx.services))) throw challengeOver()
  return row
}

export const isOver = ({ ended_at, expires_at, tries }: Challenge, now: string): boolean =>
  ended_at !== null || expires_at <= now || tries >= maxTries

/** Makes what a passkey must sign at the next try of the challenge. */
export const passkeyChallengeOf = ({ crypto }: Services, { id, tries }: Challenge): string =>
  crypto.cipher.sign(`${id} ${tries}`, 'second step by a passkey').toString('base64url')

/** Counts a wrong answer; returns how many more it takes. */
export function countTry(ctx: WriteContext, { id, tries }: Challenge): number {
  update(ctx, 'login_challenges', { id, tries: tries + 1 })
  return maxTries - tries - 1
}

export function endChallenge(ctx: WriteContext, { id }: Challenge): void {
  update(ctx, 'login_challenges', { id, ended_at: nowText(ctx.services) })
}
