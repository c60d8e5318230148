import pg from 'pg'
import type { DatabaseAddress } from '../../../src/database/address.ts'
import { userIds } from '../../../src/features/members/resource.ts'
import { chainHash } from '../../../src/kernel/ledger.ts'
import { auditLogIds } from '../../../src/values/core-ids.ts'
import { newId } from '../../../src/values/ids.ts'

type Head = { sequence: number; hash: string }

/** The fastest number of rows per statement. */
const rowsAtOnce = 5_000

const headSql = `select audit_sequence::int as sequence, audit_hash as hash
  from organization_heads where organization_id = $1`

const moveSql =
  'update organization_heads set audit_sequence = $2, audit_hash = $3 where organization_id = $1'

const recordsSql = `
  insert into audit_logs (organization_id, sequence, id, occurred_at, action, outcome, actor,
    resource, changes, reason, request, prev_hash, hash, stored_on)
  select $1, (r.said ->> 'sequence')::bigint, r.said ->> 'id',
    (r.said ->> 'occurred_at')::timestamptz, r.said ->> 'action', r.said ->> 'outcome',
    r.said -> 'actor', r.said -> 'resource', r.said -> 'changes', r.said ->> 'reason',
    r.said -> 'request', r.prev_hash, r.hash, $5
  from unnest($2::jsonb[], $3::text[], $4::text[]) as r (said, prev_hash, hash)`

/** Appends this many records to an organization's chain, while nothing else writes there. */
export async function lengthenChain(
  address: DatabaseAddress,
  organizationId: string,
  count: number,
): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  const { rows } = await client.query<Head>(headSql, [organizationId])
  let head = rows[0] ?? { sequence: 0, hash: '0'.repeat(64) }
  for (let left = count; left > 0; left -= rowsAtOnce) {
    head = await append(client, { organizationId, head, count: Math.min(left, rowsAtOnce) })
  }
  await client.query(moveSql, [organizationId, head.sequence, head.hash])
  await client.end()
}

type Addition = { organizationId: string; head: Head; count: number }

async function append(client: pg.Client, { organizationId, head, count }: Addition): Promise<Head> {
  const now = new Date()
  const actor = { type: 'user', id: newId(userIds), name: 'Olga Owner' }
  const [said, before, after] = [[] as string[], [] as string[], [] as string[]]
  let { sequence, hash } = head
  for (let at = 0; at < count; at += 1) {
    sequence += 1
    const record = { ...recordAt(sequence), occurred_at: now.toISOString(), actor }
    before.push(hash)
    hash = chainHash(hash, record)
    said.push(JSON.stringify(record))
    after.push(hash)
  }
  const day = now.toISOString().slice(0, 10)
  await client.query(recordsSql, [organizationId, said, before, after, day])
  return { sequence, hash }
}

/** As after a change of a budget. */
const recordAt = (sequence: number) => ({
  id: newId(auditLogIds),
  sequence,
  action: 'campaign.updated',
  outcome: 'success',
  resource: { type: 'campaign', id: 'cmp_01m7yk4mzveh7t7n0ras7brxqh', name: 'Spring Sale 2026' },
  changes: [
    { field: 'daily_budget', before: sequence, after: sequence + 1 },
    { field: 'daily_budget_minor', before: sequence * 100, after: (sequence + 1) * 100 },
  ],
  reason: null,
  request: {
    ...{ id: 'req_01m7yk8zspeh7t7n8p24g62153', method: 'PUT', status: 200, ip: '127.0.0.1' },
    ...{ path: '/api/v1/campaigns/cmp_01m7yk4mzveh7t7n0ras7brxqh', user_agent: 'curl/7.88.1' },
  },
})
