import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignBody, profileOf } from '../../test/support/cases/writes.ts'
import { openWorld, type TestOrganization, type World } from '../../test/support/world.ts'

const cap = 60

let world: World
/** How many transactions committed as one, each time. */
let groups: number[] = []

beforeAll(async () => {
  world = await openWorld({
    env: { FLIGHTDECK_CAPS: `campaigns=${cap}` },
    alter: (services) => ({
      ...services,
      database: {
        ...services.database,
        sharedTransactions: (key, works, choose) =>
          services.database.sharedTransactions(key, works, (done) => {
            const chosen = choose(done)
            groups.push(chosen.size)
            return chosen
          }),
      },
    }),
  })
})
afterAll(() => world.close())

async function begun(): Promise<{ organization: TestOrganization; body: object }> {
  const organization = await world.organization()
  const body = campaignBody(await profileOf(organization))
  groups = []
  return { organization, body }
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

/** The chain, the events and the counts of an organization are as if all had been written in turn. */
async function expectWhole({ owner }: TestOrganization, campaigns: number): Promise<void> {
  expect((await owner.get('/audit_logs/verify')).json()).toMatchObject({ valid: true })
  const { data, meta } = (await owner.get('/events?limit=100&include_total=true')).json()
  const sequences = data.map(({ sequence }: { sequence: number }) => sequence)
  const newest = sequences[0]
  expect(sequences).toEqual(sequences.map((_: number, at: number) => newest - at))
  expect(meta.total).toBe(newest)
  const created = (await owner.get('/events?limit=100&type=campaign.created')).json().data
  expect(created).toHaveLength(campaigns)
  expect((await owner.get('/campaigns?include_total=true')).json().meta.total).toBe(campaigns)
  expect((await owner.get('/limits')).json().caps).toMatchObject({ campaigns: { used: campaigns } })
}

test('many at once commit as few, and are recorded as if one by one', async () => {
  const { organization, body } = await begun()
  const { owner } = organization
  const replies = await Promise.all(
    numbers(50).map((at) => owner.post('/campaigns', { ...body, name: `Campaign ${at}` })),
  )
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(numbers(50).map(() => 201))
  expect(Math.max(...groups)).toBeGreaterThan(1)
  for (const reply of replies.slice(0, 5)) {
    const { id } = reply.json()
    expect((await owner.get(`/campaigns/${id}`)).json()).toMatchObject(reply.json())
  }
  await expectWhole(organization, 50)
})

test('one that the database refuses takes no other with it', async () => {
  const { organization, body } = await begun()
  const { owner } = organization
  const replies = await Promise.all(
    numbers(20).map((at) =>
      owner.post('/campaigns', { ...body, external_id: at % 4 === 0 ? 'taken' : `crm-${at}` }),
    ),
  )
  const statuses = replies.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 201)).toHaveLength(16)
  expect(statuses.filter((status) => status === 409)).toHaveLength(4)
  await expectWhole(organization, 16)
})

test('one that is invalid takes no other with it', async () => {
  const { organization, body } = await begun()
  const { owner } = organization
  const bodies = numbers(12).map((at) =>
    at % 3 === 0 ? { ...body, profile_id: 'prf_none' } : body,
  )
  const replies = await Promise.all(bodies.map((each) => owner.post('/campaigns', each)))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(
    numbers(12).map((at) => (at % 3 === 0 ? 422 : 201)),
  )
  await expectWhole(organization, 8)
})

test('one idempotency key makes one campaign, however many requests come at once', async () => {
  const { organization, body } = await begun()
  const { owner } = organization
  const replies = await Promise.all(
    numbers(18).map((at) => owner.post('/campaigns', body, { 'idempotency-key': `k${at % 3}` })),
  )
  const statuses = replies.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 201)).toHaveLength(3)
  expect(statuses.filter((status) => status === 409)).toHaveLength(15)
  await expectWhole(organization, 3)
})

test('the cap is exact among many at once', async () => {
  const { organization, body } = await begun()
  const { owner } = organization
  const replies = await Promise.all(numbers(cap + 15).map(() => owner.post('/campaigns', body)))
  const statuses = replies.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 201)).toHaveLength(cap)
  expect(statuses.filter((status) => status === 409)).toHaveLength(15)
  await expectWhole(organization, cap)
})
