import pg from 'pg'
import type { DatabaseAddress } from '../../../server/src/database/address.ts'
import { makeMonths } from '../../../server/src/database/upkeep/partitions.ts'
import { campaignIds } from '../../../server/src/features/campaigns/resource.ts'
import { changeSetIds } from '../../../server/src/features/change-sets/resource.ts'
import { clientIds } from '../../../server/src/features/clients/resource.ts'
import { profileIds } from '../../../server/src/features/profiles/resource.ts'
import { templateIds } from '../../../server/src/features/templates/resource.ts'
import type { Services } from '../../../server/src/kernel/context.ts'
import { auditLogIds, eventIds } from '../../../server/src/values/core-ids.ts'
import { newId } from '../../../server/src/values/ids.ts'
import type { Tenant } from '../seed.ts'
import { dayFrom, type Known } from './reads.ts'
import {
  campaignsSql,
  changeSetsSql,
  clientsSql,
  countsSql,
  eventsSql,
  headSql,
  pacingSql,
  profilesSql,
  recordsSql,
  resultsSql,
  sumsSql,
  templateSql,
} from './statements.ts'

const profileCount = 100
const clientCount = 20
/** One change set for each of these campaigns. */
const campaignsEach = 100
const recentDays = 7
const longTail = 10

export type Place = { services: Services; address: DatabaseAddress }

/**
 * Fills an organization with campaigns, seven days of results of each, more days of a tenth of them,
 * and what stands beside them.
 */
export async function fill(
  { services, address }: Place,
  tenant: Tenant,
  { campaigns, days }: { campaigns: number; days: number },
): Promise<Known> {
  const all = Array.from({ length: days + 1 }, (_, at) => dayFrom(-at))
  await makeMonths(services.database, all)
  const client = new pg.Client(address)
  await client.connect()
  await client.query('set synchronous_commit = off')
  const run = (sql: string, ...parameters: unknown[]) =>
    client.query(sql, [tenant.id, ...parameters])
  const ids = Array.from({ length: campaigns }, () => newId(campaignIds)).sort()
  const clients = Array.from({ length: clientCount }, () => newId(clientIds))
  const profiles = Array.from({ length: profileCount }, () => newId(profileIds)).sort()
  const [templateId, userId] = [newId(templateIds), await userOf(client, tenant)]
  await run(clientsSql, clients, userId)
  await run(profilesSql, profiles, userId, clients)
  await run(templateSql, templateId, userId)
  await run(campaignsSql, ids, profiles, templateId, userId)
  await run(countsSql)
  await run(pacingSql)
  await run(resultsSql, dayFrom(-recentDays), dayFrom(0), 1)
  await run(resultsSql, dayFrom(-days), dayFrom(-recentDays), longTail)
  for (const sql of sumsSql) await run(sql)
  const sets = Array.from({ length: campaigns / campaignsEach }, () => newId(changeSetIds)).sort()
  await run(changeSetsSql, sets, ids.slice(0, sets.length), userId)
  await run(eventsSql, Array.from({ length: campaigns }, () => newId(eventIds)).sort())
  const records = Array.from({ length: campaigns }, () => newId(auditLogIds)).sort()
  await run(recordsSql, records, ids, userId)
  await run(headSql, campaigns, JSON.stringify({ campaigns, profiles: profileCount + 1 }))
  await client.end()
  return { profileId: profiles[7] ?? '', templateId, userId, campaignId: ids[17] ?? '' }
}

async function userOf(client: pg.Client, { id }: Tenant): Promise<string> {
  const { rows } = await client.query('select id from users where organization_id = $1', [id])
  return String(rows[0]?.id)
}
