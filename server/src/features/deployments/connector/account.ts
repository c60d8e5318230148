import { sql } from 'kysely'
import type {
  DeploymentError,
  NetworkAccount,
  NetworkCredential,
} from '../../../database/tables/json-columns.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { announce, record } from '../../../kernel/ledger.ts'
import { oneOf, rowsOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { serviceActor } from '../../../values/organization.ts'
import { getProfile } from '../../profiles/profiles.ts'
import { writeBeside } from '../beside.ts'
import { type HeldLease, lockHeld } from './lease.ts'
import type { ReportsInput } from './report-schema.ts'

type ConnectionRow = Row<'connections'>
type ProfileTerms = Pick<Row<'profiles'>, 'currency' | 'time_zone'>
type Facts = { account: NetworkAccount | null; credential: NetworkCredential | null }

const noteSql = `
  update connections set account = $3, credential = $4, error = $5, last_seen_at = $6,
    warned_days = case
      when credential ->> 'expires_at' is distinct from $7 then null else warned_days end
  where organization_id = $1 and id = $2`

/** Stores what a connector reports of an account; that it is another account is an event. */
export async function noteAccount(
  ctx: Context,
  holding: HeldLease,
  { connection, body }: { connection: ConnectionRow | undefined; body: ReportsInput },
): Promise<void> {
  if (!connection) return
  const facts = factsIn(connection, body)
  const profile = await oneOf(ctx, 'profiles', connection.id)
  const error = accountError(profile, facts)
  const text = (value: object | null) => value && JSON.stringify(value)
  const statement = tenantQuery(
    ctx,
    noteSql,
    ...[connection.id, text(facts.account), text(facts.credential), text(error)],
    ctx.services.clock.now().toISOString(),
    facts.credential?.expires_at ?? null,
  )
  const isOther = connection.account !== null && connection.account.ref !== facts.account?.ref
  if (!isOther) {
    await writeBeside(ctx, async (tx) => {
      await lockHeld(ctx, tx, holding)
      tx.send(statement)
    })
    return
  }
  await inTransaction({ ...ctx, actor: serviceActor }, async (ctx) => {
    await lockHeld(ctx, ctx.tx, holding)
    ctx.tx.send(statement)
    const shown = await getProfile(ctx, connection.id)
    const before = connection.account?.ref ?? null
    const changes = [{ field: 'account', before, after: facts.account?.ref ?? null }]
    const resource = { type: 'profile', id: shown.id, name: shown.name }
    await record(ctx, { action: 'profile.account_changed', resource, changes })
    await announce(ctx, 'profile.account_changed', { before: shown, after: shown })
  })
}

function factsIn(connection: ConnectionRow, { account, credential }: ReportsInput): Facts {
  return {
    account: account ? { ...account, name: account.name ?? null } : connection.account,
    credential: credential
      ? { state: credential.state, expires_at: endOf(credential.expires_at ?? null) }
      : connection.credential,
  }
}

/** The end of a credential in one form; one that no clock has is none. */
function endOf(text: string | null): string | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

const blocked = (code: DeploymentError['code'], message: string): DeploymentError => ({
  code,
  message,
  retry: 'correctable',
  errors: [],
  network: null,
})

const judgeSql = 'update connections set error = $3 where organization_id = $1 and id = $2'

/** Judges the account of a profile again, whose currency or time zone has changed. */
export async function judgeAccount(ctx: WriteContext, profileId: string): Promise<void> {
  const connection = await rowsOf(ctx, 'connections')
    .where(sql<boolean>`id = ${profileId}`)
    .select(['account', 'credential'])
    .executeTakeFirst()
  if (!connection) return
  const error = accountError(await oneOf(ctx, 'profiles', profileId), connection)
  ctx.tx.send(tenantQuery(ctx, judgeSql, profileId, error && JSON.stringify(error)))
}

/** The reason why nothing may be sent to the account; null: nothing keeps from it. */
function accountError(
  profile: ProfileTerms,
  { account, credential }: Facts,
): DeploymentError | null {
  if (credential && (credential.state === 'expired' || credential.state === 'invalid'))
    return blocked(
      'credential',
      `The credential is ${credential.state}: give the connector another.`,
    )
  if (!account) return null
  if (account.status !== 'active')
    return blocked('account_suspended', `The account is ${account.status} in its network.`)
  if (profile.currency !== null && profile.currency !== account.currency)
    return blocked(
      'currency_mismatch',
      `The account is in ${account.currency}, the profile in ${profile.currency}.`,
    )
  return profile.time_zone === account.time_zone
    ? null
    : blocked(
        'time_zone_mismatch',
        `The account is in ${account.time_zone}, the profile in ${profile.time_zone}.`,
      )
}
