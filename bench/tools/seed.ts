import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseAddress } from '../../server/src/database/address.ts'
import { sessionIds } from '../../server/src/features/auth/resource.ts'
import { campaignIds } from '../../server/src/features/campaigns/resource.ts'
import { userIds } from '../../server/src/features/members/resource.ts'
import { profileIds } from '../../server/src/features/profiles/resource.ts'
import type { Services } from '../../server/src/kernel/context.ts'
import { organizationIds } from '../../server/src/values/core-ids.ts'
import { newId } from '../../server/src/values/ids.ts'

export type Tenant = { id: string; profileId: string; token: string; campaignIds: string[] }

export type Size = { organizations: number; campaignsEach: number; campaignsOfLargest: number }

/** Fills the database by SQL; the last tenant is the large one. */
export async function seed(
  services: Services,
  address: DatabaseAddress,
  { organizations, campaignsEach, campaignsOfLargest }: Size,
): Promise<Tenant[]> {
  const client = await connected(address)
  const tenants = Array.from({ length: organizations + 1 }, newTenant)
  const counts = tenants.map((_, at) => (at < organizations ? campaignsEach : campaignsOfLargest))
  await insertTenants(client, tenants)
  const waiting = [...tenants.entries()]
  const fill = async () => {
    const filler = await connected(address)
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [at, tenant] = next
      await insertCampaigns(filler, tenant, counts[at] ?? 0)
      tenant.token = await tokenFor(services, tenant)
    }
    await filler.end()
  }
  await Promise.all([fill(), fill()])
  // Not the tables that are still empty: the planner would assume that they stay empty.
  const filled = 'organizations, organization_heads, users, sessions, profiles, campaigns'
  await client.query(`vacuum analyze ${filled}`)
  await awaitQuiet(client)
  await client.end()
  return tenants.map(({ userId: _, sessionId: __, tokenId: ___, ...tenant }) => tenant)
}

async function connected(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client(address)
  await client.connect()
  await client.query('set synchronous_commit = off')
  return client
}

const vacuums = `select count(*)::int as count from pg_stat_activity
  where backend_type = 'autovacuum worker'`

/** Waits until checkpoints and autovacuum are done, so that they do not disturb the measurement. */
async function awaitQuiet(client: pg.Client): Promise<void> {
  // The role of the embedded database may not run a checkpoint.
  await client.query('checkpoint').catch(() => {})
  for (let looks = 0; looks < 120; looks += 1) {
    const { rows } = await client.query<{ count: number }>(vacuums)
    if (rows[0]?.count === 0) return
    await sleep(1_000)
  }
}

type NewTenant = Tenant & { userId: string; sessionId: string; tokenId: string }

const newTenant = (): NewTenant => ({
  id: newId(organizationIds),
  userId: newId(userIds),
  sessionId: newId(sessionIds),
  tokenId: newId(sessionIds),
  profileId: newId(profileIds),
  token: '',
  campaignIds: [],
})

async function insertTenants(client: pg.Client, tenants: NewTenant[]): Promise<void> {
  const rows = JSON.stringify(tenants)
  const from = `from jsonb_to_recordset($1::jsonb) as t(id text, "userId" text, "sessionId" text,
    "tokenId" text, "profileId" text)`
  const statements = [
    `insert into organizations (id, name, plan, created_at, updated_at)
      select id, 'Bench', 'zion', now(), now() ${from}`,
    `insert into organization_heads (organization_id) select id ${from}`,
    `insert into users (organization_id, id, email, name, name_folded, role, password_hash,
      created_at, updated_at)
      select id, "userId", lower("userId") || '@example.com', 'Bench', 'bench', 'owner', '',
        now(), now() ${from}`,
    `insert into sessions (organization_id, id, user_id, token_id, token_issued_at, created_at, expires_at)
      select id, "sessionId", "userId", "tokenId", now(), now(), now() + interval '1 day' ${from}`,
    `insert into profiles (organization_id, id, name, name_folded, platform, time_zone, status,
      labels, metadata, version, created_at, updated_at)
      select id, "profileId", 'Bench', 'bench', 'meta', 'UTC', 'active', '{}', '{}', 1, now(), now() ${from}`,
  ]
  for (const statement of statements) await client.query(statement, [rows])
}

const campaignsSql = `
  insert into campaigns (organization_id, id, name, name_folded, objective, profile_id, status,
    daily_budget_minor, daily_cost_minor, currency, currency_exponent, time_zone, labels, metadata,
    version, created_at, updated_at, launched_at, created_by, updated_by)
  select $1, id, 'Campaign ' || n, 'campaign ' || n, 'sales', $2, case n % 3 when 0 then 'draft' else 'active' end,
    1000 + n, 1000 + n, 'USD', 2, 'UTC', '{spring,emea}', '{"crm":"4711"}',
    1, $5::timestamptz + n * interval '1 ms', $5::timestamptz + n * interval '1 ms', now(), $4, $4
  from unnest($3::text[]) with ordinality as t(id, n)`

const campaignCountsSql = `
  insert into campaign_counts
  select organization_id, profile_id, status, objective, currency, count(*) from campaigns
  where organization_id = $1 group by 1, 2, 3, 4, 5`

async function insertCampaigns(client: pg.Client, tenant: NewTenant, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId(campaignIds))
  const begun = '2026-01-01T00:00:00Z'
  await client.query(campaignsSql, [tenant.id, tenant.profileId, ids, tenant.userId, begun])
  await client.query(campaignCountsSql, [tenant.id])
  const counts = JSON.stringify({ campaigns: count, profiles: 1 })
  const heads = 'update organization_heads set counts = $2 where organization_id = $1'
  await client.query(heads, [tenant.id, counts])
  tenant.campaignIds = ids
}

async function tokenFor(services: Services, tenant: NewTenant): Promise<string> {
  const { token } = await services.identity.tokens.sign({
    userId: tenant.userId,
    organizationId: tenant.id,
    sessionId: tenant.sessionId,
    tokenId: tenant.tokenId,
    role: 'owner',
    issuedAt: Math.floor(Date.now() / 1000),
  })
  return token
}
