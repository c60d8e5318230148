import { clientOfProfileSql } from '../database/scope/conditions.ts'
import { withReader } from '../database/scope/readers.ts'
import { seesWholeClient } from '../database/scope/seen.ts'
import type { Problem } from '../problems/problem.ts'
import type { Fields } from '../schema/differences.ts'
import { memberOf } from '../values/objects.ts'
import type { WriteContext } from './context.ts'
import { resourceTypeOf } from './event-types.ts'
import { tenantQuery } from './tenant-query.ts'

/** Changes by holders of a scope that follow campaigns or reports, which they see, or are their own. */
const judgedByOther =
  /^(?:deployment|change_set|results|report_snapshot|report_link|report_schedule|view)\./

type Ending = { action: string; object: Fields; refused: (detail: string) => Problem }

/**
 * Throws 403 for a change after which its object would be out of the caller's scope. That it was in
 * scope before needs no check: no caller changes what it cannot read. Oneself is in scope: rights say
 * who changes roles and scopes.
 */
export async function checkEndsInside(
  ctx: WriteContext,
  { action, object, refused }: Ending,
): Promise<void> {
  if (!ctx.scope || ctx.actor.type === 'system') return
  if (judgedByOther.test(action)) return
  const type = resourceTypeOf(action)
  if (type === 'member' && object.id === ctx.actor.id) return
  if (type === 'campaign' && (await isInside(ctx, object))) return
  if (action === 'client.budget_changed' && (await isOfWholeClient(ctx, object))) return
  if (type === 'report' && (await isOfWholeClients(ctx, object))) return
  throw refused(`The ${type.replaceAll('_', ' ')} would be outside your scope.`)
}

/** By what is committed: holders of a scope write nothing that decides on it. */
function isOfWholeClient(ctx: WriteContext, { id }: Fields): Promise<boolean> {
  const { kysely } = ctx.tx
  return seesWholeClient(withReader(ctx, { kysely, query: ctx.tx.committed }), id)
}

/** A report without clients may show any. */
async function isOfWholeClients(ctx: WriteContext, object: Fields): Promise<boolean> {
  const ids = clientIdsOf(object)
  const seen = await Promise.all(ids.map((id) => isOfWholeClient(ctx, { id })))
  return ids.length > 0 && seen.every(Boolean)
}

function clientIdsOf({ client_id, filter }: Fields): readonly unknown[] {
  const named = memberOf(filter, 'client_id')
  return typeof client_id === 'string' ? [client_id] : Array.isArray(named) ? named : []
}

async function isInside(ctx: WriteContext, { profile_id, labels }: Fields): Promise<boolean> {
  const { scope } = ctx
  if (!scope) return true
  if (scope.labels && !(Array.isArray(labels) && labels.some(isAmong(scope.labels)))) return false
  if (!(scope.profile_ids?.some((id) => id === profile_id) ?? true)) return false
  if (!scope.client_ids) return true
  // Holders of a scope write no profiles: what is committed is what will be.
  const [profile] = await ctx.tx.committed<{ client_id: string | null }>(
    tenantQuery(ctx, clientOfProfileSql, profile_id),
  )
  return scope.client_ids.some((id) => id === profile?.client_id)
}

const isAmong = (items: readonly string[]) => (item: unknown) => items.some((each) => each === item)
