import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, openWorld, unlimited, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const year = Array.from({ length: 12 }, (_, at) => `2027-${String(at + 1).padStart(2, '0')}`)
const others = year.filter((month) => month !== '2027-06')

async function idsOf(owner: Client): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const { data, meta } = (await owner.get(`/clients?limit=100${cursor}`)).json()
    ids.push(...data.map(({ id }: { id: string }) => id))
    if (!meta.has_more) return ids
    cursor = `&cursor=${meta.next_cursor}`
  }
}

const planSql = `
  insert into client_budgets (organization_id, client_id, month, amounts, version, updated_at)
  select $1, client_id, (month || '-01')::date, '{"EUR": 10000}', 1, now()
  from unnest($2::text[]) as a(client_id) cross join unnest($3::text[]) as b(month)`

/** Plans the other months, faster than 11,000 requests. */
const plan = (organization: string, ids: readonly string[]) =>
  world.services.database.transaction(async (tx) => {
    tx.send({ sql: planSql, parameters: [organization, ids, others] })
  })

test('1,000 clients with twelve months each are planned, listed and summed up', async () => {
  const organization = await world.organization({ plan: 'zion' })
  const { owner } = organization
  const operations = Array.from({ length: 1_000 }, (_, at) => ({
    ...{ op: 'create', resource: 'client', body: { name: `Client ${at}`, currency: 'EUR' } },
  }))
  const set = (await owner.post('/change_sets', { title: 'Clients', operations })).json()
  expect((await owner.post(`/change_sets/${set.id}/apply`)).json().status).toBe('applied')
  const ids = await idsOf(owner)
  expect(ids).toHaveLength(1_000)
  await plan(organization.id, ids)
  for (const id of ids) {
    const reply = await owner.put(`/clients/${id}/budgets/2027-06`, { amounts: { EUR: 100 } })
    expect([reply.statusCode, reply.body]).toEqual([201, reply.body])
  }
  const seen = new Set<string>()
  let cursor = ''
  do {
    const reply = await owner.get(`/pacing/clients?month=2027-06&limit=100${cursor}`)
    const { data, meta } = reply.json()
    for (const { client_id, budget_minor } of data) {
      expect(budget_minor).toBe(10_000)
      seen.add(client_id)
    }
    cursor = meta.next_cursor ? `&cursor=${meta.next_cursor}` : ''
  } while (cursor)
  expect(seen.size).toBe(1_000)
  const planned = await owner.get(`/clients/${ids[999]}/budgets?from=2027-01&to=2027-12`)
  expect(planned.json().data).toHaveLength(12)
  const one = await owner.get(`/clients/${ids[0]}/pacing?month=2027-06`)
  expect(one.json().data).toMatchObject([{ budget_minor: 10_000 }])
}, 120_000)
