import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeKey } from '../support/api-keys.ts'
import { everythingOf, expectWhole } from '../support/cases/bulk.ts'
import { type ListedOperation, operationsOf, proposed } from '../support/cases/change-sets.ts'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

type Scene = {
  organization: TestOrganization
  /** Sessions end while the clock moves. */
  client: Client
  profile: string
  template: string
  campaigns: string[]
}

const hourMs = 60 * 60 * 1000
const inOneHour = () => new Date(world.clock.now().getTime() + hourMs).toISOString()

const defaults = { objective: 'sales', daily_budget: 20, currency: 'USD', labels: ['preset'] }

/** A draft that starts in an hour, and campaigns that run, pause and wait. */
async function scene(): Promise<Scene> {
  const organization = await world.organization()
  const { client } = await madeKey(world, organization.owner, { role: 'admin' })
  const profile = await profileOf(organization, { currency: null })
  const body = campaignBody(profile)
  const template = await made(client, '/templates', { name: 'Preset', defaults })
  const campaigns: string[] = []
  for (const actions of [[], ['launch'], ['launch', 'pause'], ['launch']]) {
    const timed = campaigns.length % 3 === 0 ? { start_at: inOneHour() } : {}
    const id = await made(client, '/campaigns', { ...body, ...timed })
    for (const action of actions) await client.post(`/campaigns/${id}/${action}`)
    campaigns.push(id)
  }
  return { organization, client, profile, template, campaigns }
}

const at = fc.nat(3)
const budget = fc.integer({ min: 1, max: 99 })
const action = fc.constantFrom('launch', 'pause', 'resume', 'archive', 'complete', 'unschedule')

type Making = (scene: Scene, index: number) => object[]

const operations: fc.Arbitrary<Making> = fc.oneof(
  fc.tuple(at, budget).map(
    ([at, daily_budget]): Making =>
      ({ campaigns }) => [{ op: 'update', id: campaigns[at], body: { daily_budget } }],
  ),
  fc.tuple(at, fc.string({ maxLength: 8 })).map(
    ([at, notes]): Making =>
      ({ campaigns }) => [{ op: 'update', id: campaigns[at], body: { notes, labels: ['one'] } }],
  ),
  fc.tuple(at, action).map(
    ([at, action]): Making =>
      ({ campaigns }) => [{ op: 'action', id: campaigns[at], action }],
  ),
  at.map(
    (at): Making =>
      ({ campaigns }) => [{ op: 'delete', id: campaigns[at] }],
  ),
  fc.constant<Making>(({ template, profile }, index) => [
    {
      op: 'create',
      ref: `new-${index}`,
      body: { name: 'New', template_id: template, profile_id: profile },
    },
    { op: 'action', id: `@new-${index}`, action: 'launch' },
  ]),
  fc.constant<Making>(({ profile }, index) => [
    { op: 'create', resource: 'client', ref: `client-${index}`, body: { name: `Acme ${index}` } },
    {
      op: 'create',
      resource: 'profile',
      ref: `acme-${index}`,
      body: { name: 'Acme', client_id: `@client-${index}` },
    },
    { op: 'create', body: campaignBody(`@acme-${index}`) },
    { op: 'update', resource: 'profile', id: profile, body: { notes: 'Seen' } },
  ]),
)

type Meddling = (scene: Scene) => Promise<unknown>

const meddlings: fc.Arbitrary<Meddling> = fc.oneof(
  fc.tuple(at, budget).map(
    ([at, daily_budget]): Meddling =>
      ({ client, campaigns }) =>
        client.patch(`/campaigns/${campaigns[at]}`, { daily_budget }),
  ),
  at.map(
    (at): Meddling =>
      ({ client, campaigns }) =>
        client.post(`/campaigns/${campaigns[at]}/pause`),
  ),
  fc.constant<Meddling>(({ client, template }) =>
    client.put(`/templates/${template}`, { defaults: { ...defaults, daily_budget: 21 } }),
  ),
  fc.constant<Meddling>(({ client, profile }) =>
    client.patch(`/profiles/${profile}`, { time_zone: 'Europe/Berlin' }),
  ),
  fc.constant<Meddling>(({ client, profile }) =>
    client.patch(`/profiles/${profile}`, { status: 'paused' }),
  ),
  fc.constant<Meddling>(({ client }) =>
    client.put('/organization/guardrails', { max_daily_budget: { USD: 50 } }),
  ),
  fc.constant<Meddling>(async () => world.clock.advance(2 * hourMs)),
)

const isEffective = ({ effect }: ListedOperation) => effect !== 'failed' && effect !== 'unchanged'

/** With the ids of what was created in place of references. */
function resolvedIn(said: ListedOperation[], done: ListedOperation[]) {
  const ids = new Map(done.map(({ ref, id }) => [`@${ref}`, id]))
  const resolved = (value: unknown) => ids.get(String(value)) ?? value
  return said.map(({ effect, changes }) => ({
    effect,
    changes: changes.map(({ field, before, after }) => ({
      field,
      before: resolved(before),
      after: resolved(after),
    })),
  }))
}

test('what the trial said is what applying does, field by field, or it is refused as stale', async () => {
  const outcomes = { applied: 0, stale: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(operations, { minLength: 1, maxLength: 5 }),
      fc.array(meddlings, { maxLength: 2 }),
      fc.constantFrom('atomic', 'partial'),
      async (makings, meddling, mode) => {
        const here = await scene()
        const { client, organization } = here
        const sent = makings.flatMap((making, index) => making(here, index))
        const { changeSet, operations: said } = await proposed(client, sent, { mode })
        for (const meddle of meddling) await meddle(here)
        const before = await everythingOf(world, organization)
        const reply = await client.post(`/change_sets/${changeSet.id}/apply`)
        if (reply.statusCode !== 200) {
          const { code } = reply.json()
          expect(['change_set_stale', 'change_set_not_applicable']).toContain(code)
          expect(mode).toBe('atomic')
          if (meddling.length === 0) expect(changeSet.applicable).toBe(false)
          outcomes[code === 'change_set_stale' ? 'stale' : 'refused'] += 1
          expect(withoutBlocks(await everythingOf(world, organization))).toEqual(
            withoutBlocks(before),
          )
          return
        }
        outcomes.applied += 1
        await expectAsSaid(here, { id: changeSet.id, said, mode })
      },
    ),
    { numRuns: 60 },
  )
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(0)
}, 120_000)

type Said = { id: string; said: ListedOperation[]; mode: string }

async function expectAsSaid(
  { client, organization }: Scene,
  { id, said, mode }: Said,
): Promise<void> {
  const done = await operationsOf(client, id)
  const expected = resolvedIn(said, done)
  for (const [index, each] of done.entries()) {
    if (mode === 'partial' && each.effect === 'failed') continue
    expect({ effect: each.effect, changes: each.changes }).toEqual(expected[index])
  }
  await expectRecorded(client, { id, done })
  await expectWhole({ ...organization, owner: client })
}

/** A refusal by a guardrail leaves its own record and event; the use of a key is noted later. */
const withoutBlocks = (everything: Record<string, unknown[]>) => {
  const { audit_logs: _, events: __, organization_heads: ___, api_keys: ____, ...rest } = everything
  return rest
}

type AuditRecord = { resource: { id: string }; changes: { field: string }[] }

/** The audit log says the same. */
async function expectRecorded(
  client: Client,
  { id, done }: { id: string; done: ListedOperation[] },
): Promise<void> {
  const { data } = (await client.get('/audit_logs?limit=100')).json()
  const records: AuditRecord[] = data
    .filter((each: { change_set_id?: string; action: string }) => each.change_set_id === id)
    .toReversed()
  for (const operation of done.filter(isEffective)) {
    const at = records.findIndex(
      ({ resource, changes }) =>
        resource.id === operation.id &&
        operation.changes.every((change) =>
          changes.some((recorded) => JSON.stringify(recorded) === JSON.stringify(change)),
        ),
    )
    expect({ operation, at }).toMatchObject({ at: expect.any(Number) })
    expect(at).toBeGreaterThanOrEqual(0)
    records.splice(at, 1)
  }
}
