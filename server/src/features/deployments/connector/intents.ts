import { sql } from 'kysely'
import { columnsOf } from '../../../database/tables/types.ts'
import type { Context } from '../../../kernel/context.ts'
import { nowIn } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { conflict, invalid, invalidReference } from '../../../problems/problem.ts'
import { writeBeside } from '../beside.ts'
import { held, lockHeld } from './lease.ts'
import type { IntentInput } from './schema.ts'

const intentSql = `
  update deployments set intent = $3, is_withheld = false
  where organization_id = $1 and id = $2 and generation = $4 and network_object_id is null
  returning id`

/** Records that an object is about to be created, before it is: a lost answer is looked for. */
export async function recordIntent(ctx: Context, body: IntentInput) {
  const { deployment_id, generation } = body
  const holding = await held(ctx, body)
  const profileIds = holding.connections.map(({ id }) => id)
  const row = await rowsOf(ctx, 'deployments')
    .where(sql<boolean>`id = ${deployment_id} and profile_id = any(${profileIds})`)
    .select(columnsOf.deployments)
    .executeTakeFirst()
  if (!row) throw invalid([invalidReference('/deployment_id', deployment_id)])
  const intent = { generation, at: nowIn(ctx), looks: 0 }
  const statement = tenantQuery(ctx, intentSql, row.id, JSON.stringify(intent), generation)
  const [written] = await writeBeside(ctx, async (tx) => {
    await lockHeld(ctx, tx, holding)
    return tx.write<{ id: string }>(statement)
  })
  if (!written) {
    throw conflict('invalid_state_transition', 'It is bound already, or has a newer generation.', {
      current_status: row.state,
      action: 'create',
      allowed_actions: [],
    })
  }
  return { deployment_id: row.id, intent }
}
