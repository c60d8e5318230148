import type { Transaction } from '../../../database/database.ts'
import type { Context } from '../../../kernel/context.ts'
import { nowIn } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { type Fault, fault } from '../../../problems/fault.ts'
import { checkFaults, conflict, invalid, invalidReference } from '../../../problems/problem.ts'
import { folded } from '../../../values/folded.ts'
import { plain } from '../../../values/plain.ts'
import { writeBeside } from '../beside.ts'
import { type HeldLease, held, leaseLost } from '../connector/lease.ts'
import { formerObjects } from '../former.ts'
import { settingsFaults } from '../settings.ts'
import { observeAll, observeGone } from './observe.ts'
import {
  type InventoryInput,
  type InventoryReply,
  maxInAccount,
  type NetworkCampaignInput,
} from './schema.ts'
import { planSeen } from './seen.ts'

/**
 * Takes a part of what an account holds. The calls since the last complete one form a pass; what a
 * complete pass does not name is gone.
 */
export async function takeInventory(ctx: Context, body: InventoryInput): Promise<InventoryReply> {
  const holding = await held(ctx, body)
  const { profile_id, campaigns } = body
  if (!holding.connections.some(({ id }) => id === profile_id))
    throw invalid([invalidReference('/profile_id', profile_id)])
  checkFaults(ctx, campaignFaults(campaigns))
  const since = await writeBeside(ctx, (tx) => store(ctx, tx, { holding, body }))
  const seen = new Map(campaigns.map((each) => [each.network_object_id, planSeen(each)]))
  const linked = await observeAll(ctx, { holding, profile_id, seen })
  if (!body.complete) return { linked, former: [] }
  await observeGone(ctx, { holding, profile_id, since })
  return { linked, former: await formerObjects(ctx, profile_id) }
}

function campaignFaults(campaigns: readonly NetworkCampaignInput[]): Fault[] {
  const known = new Set<string>()
  return campaigns.flatMap(({ network_object_id: id, settings }, at) => {
    const isKnown = known.has(id)
    known.add(id)
    const pointer = `/campaigns/${at}/network_object_id`
    return [
      ...(isKnown ? [fault(pointer, 'duplicate_item', 'is named twice')] : []),
      ...settingsFaults(settings, `/campaigns/${at}/settings`),
    ]
  })
}

// Locks the connection: no other call is of the account, and no other takes it, meanwhile.
const passSql = `
  update connections set pass_since = coalesce(pass_since, $5)
  where organization_id = $1 and id = $2 and lease_id = $3 and fence = $4
  returning pass, pass_since`

const seenSql = `
  insert into network_campaigns (organization_id, profile_id, id, name, name_folded,
    plain_name_folded, status, facts, pass, gone, last_seen_at)
  select $1, $2, seen.id, seen.name, seen.name_folded, seen.plain_name_folded, seen.status,
    seen.facts::jsonb, $3, false, $4
  from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
    as seen (id, name, name_folded, plain_name_folded, status, facts)
  on conflict (organization_id, profile_id, id) do update set
    name = excluded.name, name_folded = excluded.name_folded,
    plain_name_folded = excluded.plain_name_folded, status = excluded.status,
    facts = excluded.facts, pass = excluded.pass, gone = false,
    last_seen_at = excluded.last_seen_at`

const countSql = `
  select count(*) as count from network_campaigns where organization_id = $1 and profile_id = $2`

const goneSql = `
  update network_campaigns set gone = true
  where organization_id = $1 and profile_id = $2 and pass < $3 and not gone`

const endSql = `
  update connections set pass = pass + 1, pass_since = null, listed_at = pass_since
  where organization_id = $1 and id = $2`

const forgetSql = `
  delete from network_campaigns
  where organization_id = $1 and profile_id = $2 and gone and last_seen_at < $3`

const rememberedMs = 30 * 24 * 3_600_000

type Pass = { pass: number; pass_since: string }

/** Stores the rows; answers since when their pass goes on. */
async function store(
  ctx: Context,
  tx: Transaction,
  { holding: { lease }, body }: { holding: HeldLease; body: InventoryInput },
): Promise<string> {
  const ask = <Found>(text: string, ...parameters: readonly unknown[]) =>
    tx.write<Found>(tenantQuery(ctx, text, ...parameters))
  const { profile_id: id, campaigns, complete } = body
  const now = nowIn(ctx)
  const [pass] = await ask<Pass>(passSql, id, lease.id, lease.fence, now)
  if (!pass) throw leaseLost()
  if (campaigns.length > 0) await ask(seenSql, id, pass.pass, now, ...columnsOf(campaigns))
  if (complete) {
    await ask(goneSql, id, pass.pass)
    await ask(forgetSql, id, new Date(Date.parse(now) - rememberedMs).toISOString())
    await ask(endSql, id)
  }
  const [counted] = await ask<{ count: number }>(countSql, id)
  if (counted && counted.count > maxInAccount) throw tooMany()
  return pass.pass_since
}

const tooMany = () =>
  conflict('limit_exceeded', `An account has at most ${maxInAccount} campaigns here.`, {
    resource: 'network_campaigns',
    limit: maxInAccount,
  })

function columnsOf(campaigns: readonly NetworkCampaignInput[]): unknown[][] {
  const plainOf = (name: string) => (plain(name) === folded(name) ? null : plain(name))
  return [
    campaigns.map((each) => each.network_object_id),
    campaigns.map((each) => each.name),
    campaigns.map((each) => folded(each.name)),
    campaigns.map((each) => plainOf(each.name)),
    campaigns.map((each) => each.status),
    campaigns.map((each) => JSON.stringify(planSeen(each))),
  ]
}
