import type { Transaction } from '../../../database/database.ts'
import { whole } from '../../../database/scope/readers.ts'
import type { NetworkCheck } from '../../../database/tables/deployment-columns.ts'
import { type Context, nowIn } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'

/** The judgement of networks on the operations of living change sets. */

type TriedPlace = { change_set_id: string; index: number; tried_at: string }

export type OpenCheck = TriedPlace & Pick<NetworkCheck, 'deployment_id' | 'desired'>

const openSql = (deploymentIds: string) => `
  select o.change_set_id, o.index, s.tried_at, o.network_check ->> 'deployment_id' as deployment_id,
    o.network_check -> 'desired' as desired
  from change_set_operations o
  join change_sets s on s.organization_id = $1 and s.id = o.change_set_id
    and s.status in ('open', 'approved', 'scheduled') and s.expires_at > $2
  where o.organization_id = $1 and o.network_check ->> 'outcome' = 'open'
    and o.network_check ->> 'profile_id' = any($3)
    and o.network_check ->> 'deployment_id' in (${deploymentIds})
  order by o.id limit $4`

type ChecksWanted = {
  profileIds: readonly string[]
  /** Selects the ids of those that can be judged still; `$1` is the organization, `$3` the accounts. */
  deploymentIds: string
  limit: number
}

/** The checks in these accounts that no connector has answered, whatever else their change sets are about. */
export function openNetworkChecks(
  ctx: Context,
  { profileIds, deploymentIds, limit }: ChecksWanted,
): Promise<OpenCheck[]> {
  const query = tenantQuery(ctx, openSql(deploymentIds), nowIn(ctx), profileIds, limit)
  return whole(ctx).reader.query<OpenCheck>(query)
}

export type NetworkAnswer = TriedPlace & Pick<NetworkCheck, 'outcome' | 'error'>

// Another trial has asked anew.
const noteSql = `
  update change_set_operations o set network_check = o.network_check || r.said
  from jsonb_to_recordset($2::jsonb) as r
      (change_set_id text, index integer, tried_at timestamptz, said jsonb),
    change_sets s
  where o.organization_id = $1 and o.change_set_id = r.change_set_id and o.index = r.index
    and s.organization_id = $1 and s.id = o.change_set_id and s.tried_at = r.tried_at
    and o.network_check ->> 'outcome' = 'open' and o.network_check ->> 'profile_id' = any($3)`

/** Notes the answers of networks, beside the audit log. */
export function noteNetworkChecks(
  ctx: Context,
  tx: Transaction,
  { profileIds, answers }: { profileIds: readonly string[]; answers: readonly NetworkAnswer[] },
): void {
  const checked_at = nowIn(ctx)
  const rows = answers
    .filter(({ tried_at }) => !Number.isNaN(Date.parse(tried_at)))
    .map(({ outcome, error, ...place }) => ({ ...place, said: { outcome, error, checked_at } }))
  tx.send(tenantQuery(ctx, noteSql, JSON.stringify(rows), profileIds))
}
