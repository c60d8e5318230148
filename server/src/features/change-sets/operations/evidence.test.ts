import { afterAll, beforeAll, expect, test } from 'vitest'
import { proposed } from '../../../../test/support/cases/change-sets.ts'
import { dayOf, report } from '../../../../test/support/cases/results.ts'
import {
  campaignAfter,
  campaignBody,
  made,
  profileOf,
} from '../../../../test/support/cases/writes.ts'
import { openWorld, unlimited, type World } from '../../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const dayMs = 24 * 60 * 60 * 1000
const day = (ago: number) => dayOf(world, -ago)

test('operations say whose account they are about, and what was achieved in seven days', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const client = 'Northwind Traders'
  const profile = await profileOf(organization, { client, currency: 'USD' })
  const [id, quiet] = [
    await made(owner, '/campaigns', campaignBody(profile)),
    await made(owner, '/campaigns', campaignBody(profile)),
  ]
  const row = (ago: number, more: object) => ({ campaign_id: id, date: day(ago), ...more })
  const reply = await report(owner, {
    rows: [
      row(0, { spend: 999, conversions: 1 }),
      row(1, { spend: 30, conversions: 2, conversion_value: 75 }),
      row(7, { spend: 20, conversions: 0.5, conversion_value: 25 }),
      row(8, { spend: 500, conversions: 100 }),
    ],
  })
  expect(reply.json()).toMatchObject({ counts: { created: 4 } })
  const { changeSet } = await proposed(owner, [
    { op: 'update', id, body: { daily_budget: 50 } },
    { op: 'action', id: quiet, action: 'launch' },
    { op: 'update', resource: 'profile', id: profile, body: { notes: 'x' } },
    { op: 'create', body: campaignBody(profile) },
    { op: 'create', resource: 'profile', ref: 'new', body: { name: 'New', client: 'Contoso' } },
    { op: 'create', body: campaignBody('@new') },
    { op: 'create', resource: 'template', body: { name: 'T', defaults: {} } },
    { op: 'delete', id: 'cmp_x' },
  ])
  const path = `/change_sets/${changeSet.id}/operations`
  const { data } = (await owner.get(path)).json()
  expect(data.map((each: { client: string | null }) => each.client)).toEqual([
    client,
    client,
    client,
    client,
    'Contoso',
    'Contoso',
    null,
    null,
  ])
  expect(data[0].evidence).toEqual({
    spend_minor: 5_000,
    conversions: 2.5,
    cpa: 20,
    roas: 2,
    window: { from: day(7), to: day(0) },
  })
  const none = data.slice(1).map((each: { evidence: object | null }) => each.evidence)
  expect(none).toEqual([null, null, null, null, null, null, null])
  const { data: few } = (await owner.get(`${path}?fields=client`)).json()
  expect(few[0]).toEqual({ id, client })
})

test('the days are those of the campaign’s time zone', async () => {
  const organization = await world.organization()
  const { owner } = organization
  // The clock of tests stands at a time when it is already the next day there, or still the last.
  for (const time_zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const id = await campaignAfter(organization, [], { time_zone })
    const { changeSet } = await proposed(owner, [{ op: 'update', id, body: { notes: 'x' } }])
    const today = world.clock.now().toLocaleDateString('sv', { timeZone: time_zone })
    const yesterday = new Date(Date.parse(today) - dayMs).toISOString().slice(0, 10)
    const rows = [{ campaign_id: id, date: yesterday, spend: 10 }]
    expect((await report(owner, { rows })).json()).toMatchObject({ counts: { created: 1 } })
    const { data } = (await owner.get(`/change_sets/${changeSet.id}/operations`)).json()
    expect(data[0].evidence).toMatchObject({
      spend_minor: 1_000,
      conversions: null,
      cpa: null,
      roas: null,
      window: { to: today },
    })
  }
})
