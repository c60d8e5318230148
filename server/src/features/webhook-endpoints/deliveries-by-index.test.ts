import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpointOf, makeEvents } from '../../../test/support/deliveries.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import { recordSql } from '../../../test/support/sent-sql.ts'
import { type TestOrganization, unlimited } from '../../../test/support/world.ts'

let world: OwnWorld
let organization: TestOrganization
/** The partition of the present: those to come are empty. */
let place: string

/** 20,000 deliveries that succeeded, of two organizations. */
const manySql = `
  insert into webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type,
    event_sequence, status, trigger, created_at, updated_at)
  select organization_id, left(id, 14) || lpad(n::text, 16, '0'), endpoint_id, 'evt_' || n,
    event_type, n, 'succeeded', trigger, created_at, updated_at
  from webhook_deliveries, generate_series(1, 10000) as n`

beforeAll(async () => {
  world = await openOwnWorld({ env: unlimited })
  organization = await world.organization()
  for (const each of [organization, await world.organization()]) {
    await endpointOf(each)
    await makeEvents(each, 1)
  }
  await world.database.query(manySql)
  const placeSql = 'select distinct tableoid::regclass::text as place from webhook_deliveries'
  const [found] = await world.database.query<{ place: string }>(placeSql)
  place = String(found?.place)
  await world.database.query('analyze webhook_deliveries')
})
afterAll(() => world.close())

/** The plan of the statement that reads the page. */
async function planOf(query: string): Promise<string> {
  const { sent, stop } = recordSql()
  const reply = await organization.owner.get(`/webhook_deliveries?${query}`)
  stop()
  expect(reply.statusCode).toBe(200)
  const [sql] = [...sent].filter((text) => text.includes('from "webhook_deliveries"'))
  const rows = await world.database.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${sql}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test.each([
  ['the primary key', 'limit=2', /Index Scan Backward using webhook_deliveries_\d+_pkey/],
  ['the primary key', 'limit=2&sort=created_at', /Index Scan using webhook_deliveries_\d+_pkey/],
  ['what did not succeed', 'status=failed', /_organization_id_id_idx/],
  ['what did not succeed', 'status=pending,skipped&limit=50', /_organization_id_id_idx/],
  ['the event', 'event_id=evt_7', /_event_id_idx/],
])('the log of all endpoints is read by %s: %s', async (_, query, index) => {
  const plan = await planOf(query)
  expect(plan).toMatch(index)
  expect(plan).not.toContain(`Seq Scan on ${place}`)
})
