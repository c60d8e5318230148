import { sql } from 'kysely'
import type { Transaction } from '../../../database/database.ts'
import { whole } from '../../../database/scope/readers.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import type { Context } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/rows.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { conflict, invalid, invalidReference } from '../../../problems/problem.ts'
import { newId } from '../../../values/ids.ts'
import { isSandbox, platformFaults } from '../../profiles/simulated.ts'
import { openCredentials } from '../../proxies/credentials.ts'
import { writeBeside } from '../beside.ts'
import { leaseIds } from '../resource.ts'
import { noteConnected } from './connected.ts'
import { type Lease, type LeaseInput, maxProfiles } from './schema.ts'

/** Takes the accounts, or renews the hold of the same process on them. */
export async function takeLease(ctx: Context, body: LeaseInput): Promise<Lease> {
  const unknown = await platformFaults(ctx, body.platform)
  if (unknown.length > 0) throw invalid(unknown)
  const profiles = await wantedProfiles(ctx, body)
  const ids = profiles.map(({ id }) => id)
  const expires_at = new Date(ctx.services.clock.now().getTime() + body.ttl_seconds * 1_000)
  const held = await writeBeside(ctx, (tx) =>
    hold(ctx, tx, { body, ids, expires_at: expires_at.toISOString() }),
  )
  await noteConnected(ctx, ids)
  return {
    lease_id: held.id,
    fence: held.fence,
    profiles: await shown(ctx, profiles),
    sandbox: await isSandbox(ctx),
    expires_at: expires_at.toISOString(),
  }
}

type Profile = Row<'profiles'>

async function wantedProfiles(
  ctx: Context,
  { platform, profile_ids }: LeaseInput,
): Promise<Profile[]> {
  const named = profile_ids ? sql<boolean>`id = any(${profile_ids})` : sql<boolean>`true`
  const found = await rowsOf(ctx, 'profiles')
    .where('platform', '=', platform)
    .where(named)
    .where(sql<boolean>`status <> 'archived'`)
    .orderBy('id')
    .limit(maxProfiles)
    .select(columnsOf.profiles)
    .execute()
  const known = new Set(found.map(({ id }) => id))
  const faults = (profile_ids ?? []).flatMap((id, at) =>
    known.has(id) ? [] : [invalidReference(`/profile_ids/${at}`, id)],
  )
  if (faults.length > 0) throw invalid(faults)
  return found
}

type Holding = { body: LeaseInput; ids: readonly string[]; expires_at: string }

const connectSql = `
  insert into connections (organization_id, id, fence)
  select $1, id, 0 from unnest($2::text[]) as wanted (id) order by id
  on conflict (organization_id, id) do nothing`

const lockSql = `
  select c.id, c.lease_id, l.expires_at > $3 as is_live from connections c
  left join connector_leases l on l.organization_id = c.organization_id and l.id = c.lease_id
  where c.organization_id = $1 and c.id = any($2) order by c.id for update of c`

const leaseSql = `
  insert into connector_leases (organization_id, id, api_key_id, instance, adapter,
    adapter_version, platform, api_version, api_sunset, fence, expires_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11)
  on conflict (organization_id, api_key_id, instance) do update set
    adapter = excluded.adapter, adapter_version = excluded.adapter_version,
    platform = excluded.platform, api_version = excluded.api_version,
    api_sunset = excluded.api_sunset, expires_at = excluded.expires_at
  returning id, fence`

const letGoSql = `
  update connections set lease_id = null, last_seen_at = $4
  where organization_id = $1 and lease_id = $2 and id <> all($3)`

// Each process makes one: those that are over and hold nothing would stay for good.
const forgetSql = `
  delete from connector_leases l
  where l.organization_id = $1 and l.id <> $2 and l.api_key_id = $3 and l.expires_at < $4
    and not exists (select from connections c
      where c.organization_id = l.organization_id and c.lease_id = l.id)`

// A new fence begins another inventory.
const fenceSql = `
  with next as (select coalesce(max(fence), 0) + 1 as fence from connections where organization_id = $1),
  held as (
    update connections c set lease_id = $2, fence = next.fence, pass = pass + 1,
      pass_since = null, connected_since = $4
    from next where c.organization_id = $1 and c.id = any($3))
  update connector_leases l set fence = next.fence from next
  where l.organization_id = $1 and l.id = $2
  returning l.fence`

type Locked = { id: string; lease_id: string | null; is_live: boolean | null }

async function hold(ctx: Context, tx: Transaction, { body, ids, expires_at }: Holding) {
  const now = ctx.services.clock.now().toISOString()
  const ask = <Found>(text: string, ...parameters: readonly unknown[]) =>
    tx.write<Found>(tenantQuery(ctx, text, ...parameters))
  await ask(connectSql, ids)
  const locked = await ask<Locked>(lockSql, ids, now)
  const { instance, adapter, adapter_version, platform, api_version, api_sunset = null } = body
  const facts = [instance, adapter, adapter_version, platform, api_version, api_sunset]
  const [lease] = await ask<{ id: string; fence: number }>(
    leaseSql,
    newId(leaseIds),
    ctx.actor.id,
    ...facts,
    expires_at,
    now,
  )
  if (!lease) throw new Error('a lease was not written')
  const others = locked.filter(({ lease_id, is_live }) => is_live && lease_id !== lease.id)
  if (others.length > 0) throw leaseHeld(others.map(({ id }) => id))
  await ask(letGoSql, lease.id, ids, now)
  await ask(forgetSql, lease.id, ctx.actor.id, now)
  const isSame = lease.fence > 0 && locked.every(({ lease_id }) => lease_id === lease.id)
  if (isSame) return lease
  const [renewed] = await ask<{ fence: number }>(fenceSql, lease.id, ids, now)
  return { id: lease.id, fence: renewed?.fence ?? lease.fence }
}

const leaseHeld = (ids: readonly string[]) =>
  conflict('lease_held', 'Another connector holds an account of these.', {
    profile_ids: ids.slice(0, 100),
  })

/**
 * The profiles as connectors see them, with their proxies: what works in an account goes by its proxy,
 * though no scope shows which that is.
 */
async function shown(ctx: Context, profiles: readonly Profile[]): Promise<Lease['profiles']> {
  const used = await rowsOf(whole(ctx), 'profiles')
    .where(sql<boolean>`id = any(${profiles.map(({ id }) => id)})`)
    .select(['id', 'proxy_id'])
    .execute()
  const proxyIds = new Map(used.map(({ id, proxy_id }) => [id, proxy_id]))
  const proxies = await rowsOf(whole(ctx), 'proxies')
    .where(sql<boolean>`id = any(${used.flatMap(({ proxy_id }) => proxy_id ?? [])})`)
    .select(columnsOf.proxies)
    .execute()
  return profiles.map((profile) => {
    const { id, name, account_ref, currency, time_zone, status, credential_ref } = profile
    const proxy = proxies.find((each) => each.id === proxyIds.get(id))
    const facts = { id, name, account_ref, currency, time_zone, status, credential_ref }
    return { ...facts, proxy: proxy ? proxyShown(ctx, proxy) : null }
  })
}

function proxyShown({ services }: Context, proxy: Row<'proxies'>) {
  const { protocol, host, port } = proxy
  return { protocol, host, port, ...openCredentials(services.crypto.cipher, proxy) }
}

const releaseSql = `
  update connector_leases set expires_at = least(expires_at, $3)
  where organization_id = $1 and id = $2 and api_key_id = $4`

/** Lets the accounts go; what is not held already stays as it is. */
export async function releaseLease(ctx: Context, id: string): Promise<void> {
  const now = ctx.services.clock.now().toISOString()
  const statement = tenantQuery(ctx, releaseSql, id, now, ctx.actor.id)
  await writeBeside(ctx, async (tx) => tx.send(statement))
}
