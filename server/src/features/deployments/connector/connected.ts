import { sql } from 'kysely'
import type { Context, WriteContext } from '../../../kernel/context.ts'
import { announce, record } from '../../../kernel/ledger.ts'
import { oneOf, rowsOf, update } from '../../../kernel/rows.ts'
import { inTransaction } from '../../../kernel/transaction.ts'
import { serviceActor } from '../../../values/organization.ts'
import { getProfile } from '../../profiles/profiles.ts'

type ConnectorState = 'connected' | 'stale'

/** Profiles are connected once a connector holds them, and stale after ten minutes without one. */
async function setState(ctx: WriteContext, id: string, state: ConnectorState): Promise<void> {
  // Two renewals at once find the same profile.
  const row = await oneOf(ctx, 'profiles', id)
  if (row.connector_state === state) return
  const profile = await getProfile(ctx, id)
  const action = state === 'connected' ? 'profile.connected' : 'profile.disconnected'
  const before = state === 'connected' ? null : 'connected'
  const changes = [{ field: 'connector', before, after: state }]
  // The service notes it, not the caller.
  const own = { ...ctx, actor: serviceActor, reason: null }
  update(own, 'profiles', { id, connector_state: state })
  await record(own, { action, resource: { type: 'profile', id, name: profile.name }, changes })
  await announce(own, action, { before: profile, after: profile })
}

const chunkSize = 50

/** Notes of these profiles that a connector holds them. */
export async function noteConnected(ctx: Context, ids: readonly string[]): Promise<void> {
  const found = await rowsOf(ctx, 'profiles')
    .where(sql<boolean>`id = any(${ids}) and connector_state is distinct from 'connected'`)
    .select('id')
    .execute()
  await setAll(
    ctx,
    found.map(({ id }) => id),
    'connected',
  )
}

/** Notes the same of many, in steps. */
export async function setAll(ctx: Context, ids: readonly string[], state: ConnectorState) {
  for (let at = 0; at < ids.length; at += chunkSize) {
    await inTransaction({ ...ctx, idempotency: null }, async (ctx) => {
      for (const id of ids.slice(at, at + chunkSize)) await setState(ctx, id, state)
    })
  }
}
