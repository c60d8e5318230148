import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { columnsOf } from '../../../database/tables/types.ts'
import { registerPasskey, unregisterPasskey } from '../../../identity/passkey-directory.ts'
import { audited } from '../../../kernel/change.ts'
import { type Context, nowText, type WriteContext } from '../../../kernel/context.ts'
import { insert, oneOf, remove, rowsOf, update } from '../../../kernel/rows.ts'
import { showOnce } from '../../../kernel/shown-once.ts'
import { fault } from '../../../problems/fault.ts'
import { conflict, invalid, notFound, Problem } from '../../../problems/problem.ts'
import { byId, timeRange } from '../../../query/filters.ts'
import { type ListShape, type Page, pageOf, type Query } from '../../../query/list.ts'
import { inAnyText, inId } from '../../../query/search/places.ts'
import { wordsIn } from '../../../query/search/search.ts'
import { newId } from '../../../values/ids.ts'
import { setSecondFactor } from '../../members/members.ts'
import { noticeFactors } from './notice.ts'
import { ceremonyMs, creationOptions, madePasskey } from './passkeys/ceremonies.ts'
import { neededParty } from './passkeys/relying-party.ts'
import type { Passkey } from './passkeys/schema.ts'
import { hashOfCode, newRecoveryCodes } from './recovery-codes.ts'
import { factorIds, mostOfOne } from './resource.ts'
import type { Factor, FactorInput, FactorProof, NewFactor, VerifiedFactor } from './schema.ts'
import {
  isFactor,
  isThere,
  type StoredFactor,
  sealTimeSecret,
  timeSecretOf,
  verifiedFactorsOf,
} from './stored.ts'
import { newTimeSecret, otpauthUrl, stepOf } from './time-codes.ts'

const verifiableMs = 60 * 60 * 1000

export const factorList: ListShape<'factors'> = {
  table: 'factors',
  filters: {
    q: wordsIn('the name, or six characters or more of the id', {
      places: [inAnyText(sql.ref('name')), inId],
    }),
    ...byId,
    ...timeRange('created', 'created_at'),
  },
  sorts: ['created_at'],
}

export function listFactors(ctx: Context, query: Query): Promise<Page<Factor>> {
  const standing = () => sql<boolean>`user_id = ${ctx.actor.id} and ${isThere(ctx)}`
  return pageOf(ctx, { list: { ...factorList, standing }, query, present: toFactor })
}

type ShownFactor = Pick<
  StoredFactor,
  'id' | 'kind' | 'name' | 'code_hashes' | 'verified_at' | 'last_used_at' | 'created_at'
>

const toFactor = (row: ShownFactor): Factor => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  verified: row.verified_at !== null,
  codes_left: row.code_hashes?.length ?? null,
  last_used_at: row.last_used_at,
  created_at: row.created_at,
})

/** Sets up a factor, which guards nothing until it is verified; or makes new recovery codes. */
export function addFactor(ctx: Context, input: FactorInput): Promise<NewFactor> {
  if (input.kind === 'passkey') return addPasskey(ctx, input)
  return input.kind === 'totp' ? addTimeCodes(ctx, input) : renewRecoveryCodes(ctx, input)
}

const addTimeCodes = (ctx: Context, { name = 'Authenticator app' }: FactorInput) =>
  showOnce(ctx, async (ctx) => {
    await checkRoom(ctx)
    const user = await oneOf(ctx, 'users', String(ctx.actor.id))
    const secret = newTimeSecret()
    const row = newRow(ctx, { kind: 'totp', name })
    const secret_sealed = sealTimeSecret(ctx.services, row.id, secret)
    await audited(ctx, entryOf(ctx, 'auth.factor_begun'), async (ctx) =>
      insert(ctx, 'factors', { ...row, secret_sealed }),
    )
    const labels = { issuer: 'Flightdeck', label: user.email }
    return {
      kept: toFactor(row),
      shown: {
        ...nothingShown,
        secret,
        otpauth_url: otpauthUrl(secret, labels),
      },
    }
  })

const nothingShown = { secret: null, otpauth_url: null, options: null, recovery_codes: null }

const challengeBytes = 32

/** Begun anew it replaces what was begun before: a browser's window is easily closed. */
async function addPasskey(ctx: Context, { name = 'Passkey' }: FactorInput): Promise<NewFactor> {
  const party = neededParty(ctx.services)
  return showOnce(ctx, async (ctx) => {
    const user = await oneOf(ctx, 'users', String(ctx.actor.id))
    const former = await ownPasskeys(ctx, user.id)
    const others = former.filter(({ verified_at }) => verified_at !== null)
    const challenge = randomBytes(challengeBytes).toString('base64url')
    const options = await creationOptions(party, { person: user, challenge, others })
    const row = newRow(ctx, { kind: 'passkey', name })
    await audited(ctx, entryOf(ctx, 'auth.factor_begun'), async (ctx) => {
      for (const each of former.filter((each) => !others.includes(each)))
        remove(ctx, 'factors', each.id)
      await checkRoom(ctx)
      insert(ctx, 'factors', { ...row, challenge })
    })
    return { kept: toFactor(row), shown: { ...nothingShown, options: { ...options } } }
  })
}

const ownPasskeys = (ctx: Context, userId: string): Promise<StoredFactor[]> =>
  rowsOf(ctx, 'factors')
    .where('user_id', '=', userId)
    .where('kind', '=', 'passkey')
    .select(columnsOf.factors)
    .execute()

/** A row without what its kind adds. */
function newRow(ctx: Context, { kind, name }: Pick<StoredFactor, 'kind' | 'name'>) {
  // Factors, as logins, use real time even in a sandbox.
  const now = nowText(ctx.services)
  return {
    id: newId(factorIds),
    user_id: String(ctx.actor.id),
    kind,
    name,
    code_hashes: null,
    verified_at: null,
    last_used_at: null,
    created_at: now,
    expires_at: new Date(Date.parse(now) + verifiableMs).toISOString(),
  }
}

async function checkRoom(ctx: WriteContext): Promise<void> {
  const rows = await rowsOf(ctx, 'factors')
    .where('user_id', '=', String(ctx.actor.id))
    .where(isThere(ctx))
    .select('id')
    .execute()
  if (rows.length < mostOfOne) return
  const members = { resource: 'factors', limit: mostOfOne }
  throw conflict('limit_exceeded', `You have ${mostOfOne} factors already.`, members)
}

const entryOf = (ctx: Context, action: string) => ({
  action,
  resource: { type: 'user', id: ctx.actor.id, name: ctx.actor.name },
})

/** Lets it guard the logins. With the first factor come recovery codes. */
export const verifyFactor = (ctx: Context, id: string, proof: FactorProof) =>
  showOnce<Pick<VerifiedFactor, 'factor'>, Omit<VerifiedFactor, 'factor'>>(ctx, async (ctx) => {
    const row = await ownFactor(ctx, id)
    if (row.verified_at !== null) throw alreadyVerified()
    const proven = await provenBy(ctx, row, proof)
    const others = await verifiedFactorsOf(ctx, row.user_id)
    const set = { ...proven, verified_at: nowText(ctx.services), expires_at: null }
    return audited(ctx, entryOf(ctx, 'auth.factor_added'), async (ctx) => {
      update(ctx, 'factors', { id, ...set })
      const { credential_id: credentialId } = { ...row, ...proven }
      if (credentialId) registerPasskey(ctx, { credentialId, userId: row.user_id })
      const user = await setSecondFactor(ctx, row.user_id, true)
      noticeFactors(ctx, user.email, {
        what: `The second factor “${row.name}” was added to your login`,
      })
      const isFirst = others.length === 0
      return {
        kept: { factor: toFactor({ ...row, ...set }) },
        shown: { recovery_codes: isFirst ? insertRecoveryCodes(ctx) : null },
      }
    })
  })

/** The columns of a factor from then on, if the proof is right. */
function provenBy(ctx: Context, row: StoredFactor, { otp, passkey }: FactorProof) {
  if (row.kind === 'passkey') return passkeyIn(ctx, row, passkey ?? missing('passkey'))
  return { last_step: stepIn(ctx, row, otp ?? missing('otp')) }
}

function missing(field: string): never {
  throw invalid([fault(`/${field}`, 'required', 'is required of this factor')])
}

async function passkeyIn(ctx: Context, row: StoredFactor, passkey: Passkey) {
  const { services } = ctx
  const party = neededParty(services)
  const { challenge, created_at, user_id } = row
  const isLate = services.clock.now().getTime() > Date.parse(created_at) + ceremonyMs
  const made = challenge && !isLate ? await madePasskey(party, { passkey, challenge }) : null
  const known = await ownPasskeys(ctx, user_id)
  if (made && !known.some(({ credential_id }) => credential_id === made.credential_id))
    return { ...made, transports: JSON.stringify(made.transports), challenge: null }
  const detail = `The passkey was refused: make one at ${party.origin}, within five minutes, that you have not added yet.`
  throw new Problem('invalid_credentials', detail)
}

/** The row of one's own; others' are 404. */
async function ownFactor(ctx: Context, id: string): Promise<StoredFactor> {
  const row = await oneOf(ctx, 'factors', id)
  const isOver = row.expires_at !== null && row.expires_at <= nowText(ctx.services)
  if (row.user_id !== ctx.actor.id || isOver) throw notFound()
  return row
}

const alreadyVerified = () =>
  conflict('invalid_state_transition', 'The factor is verified already.', {
    current_status: 'verified',
    action: 'verify',
    allowed_actions: [],
  })

/** The step of the code, which counts as used. */
function stepIn({ services }: Context, row: StoredFactor, otp: string): number {
  const secret = timeSecretOf(services, row)
  const step = secret && stepOf(secret, otp.replaceAll(' ', ''), services.clock.now())
  if (typeof step === 'number') return step
  throw new Problem('invalid_credentials', 'The code is wrong. Is the clock of the device right?')
}

/** New recovery codes in place of all former ones. */
const renewRecoveryCodes = (ctx: Context, { name }: FactorInput): Promise<NewFactor> =>
  showOnce(ctx, async (ctx) => {
    const user = await oneOf(ctx, 'users', String(ctx.actor.id))
    const former = await verifiedFactorsOf(ctx, user.id)
    if (!former.some(isFactor)) throw noFactorYet()
    return audited(ctx, entryOf(ctx, 'auth.recovery_codes_made'), async (ctx) => {
      for (const row of former.filter((each) => !isFactor(each))) remove(ctx, 'factors', row.id)
      const { row, recovery_codes } = withRecoveryCodes(ctx, name)
      noticeFactors(ctx, user.email, {
        what: 'New recovery codes were made; the former ones are void',
      })
      return {
        kept: toFactor(row),
        shown: { ...nothingShown, recovery_codes },
      }
    })
  })

const noFactorYet = () =>
  conflict('invalid_state_transition', 'Recovery codes stand in for a factor: set one up first.', {
    current_status: 'without_factor',
    action: 'recovery_codes',
    allowed_actions: ['totp', 'passkey'],
  })

const insertRecoveryCodes = (ctx: WriteContext): string[] => withRecoveryCodes(ctx).recovery_codes

function withRecoveryCodes(ctx: WriteContext, name = 'Recovery codes') {
  const recovery_codes = newRecoveryCodes()
  const code_hashes = recovery_codes.map(hashOfCode)
  const row = {
    ...newRow(ctx, { kind: 'recovery_codes', name }),
    verified_at: nowText(ctx.services),
    expires_at: null,
  }
  insert(ctx, 'factors', { ...row, code_hashes: JSON.stringify(code_hashes) })
  return { row: { ...row, code_hashes }, recovery_codes }
}

/** Removes one's own factor; with the last one go the recovery codes. */
export async function removeFactor(ctx: Context, id: string): Promise<void> {
  await audited(ctx, entryOf(ctx, 'auth.factor_removed'), async (ctx) => {
    const row = await ownFactor(ctx, id)
    if (ctx.dryRun) ctx.dryRun.object = toFactor(row)
    remove(ctx, 'factors', id)
    if (row.verified_at === null) return
    if (row.credential_id) unregisterPasskey(ctx, row.credential_id)
    const others = (await verifiedFactorsOf(ctx, row.user_id)).filter((each) => each.id !== id)
    const isGuarded = others.some(isFactor)
    if (!isGuarded) for (const rest of others) remove(ctx, 'factors', rest.id)
    const user = await setSecondFactor(ctx, row.user_id, isGuarded)
    noticeFactors(ctx, user.email, {
      what: `The second factor “${row.name}” was removed from your login`,
    })
  })
}

/** Refuses to share a passkey: who logs in by it has to be one. */
export const passkeyTaken = () =>
  conflict('passkey_taken', 'The passkey is registered by someone else: make a new one.')
