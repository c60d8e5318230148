import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWorld, type World } from '../../server/test/support/world.ts'
import { openProgress } from '../kit/src/account/progress.ts'
import { wallClock } from './fake/clock.ts'
import { type Connected, connect, deployed, deploymentOf } from './test/connected.ts'
import { customerId } from './test/credential.ts'
import { declared } from './test/opened.ts'

// Campaigns that were removed in the network: what they spent counts, once.

let world: World
let address: string
let home: string
let all: Connected

beforeAll(async () => {
  world = await openWorld()
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
  home = await mkdtemp(join(tmpdir(), 'flightdeck-removed-'))
})
afterAll(async () => {
  await world.close()
  await rm(home, { recursive: true })
})
beforeEach(async () => {
  all = await connect(world, address)
})
afterEach(() => all.close())

const dayBefore = (days: number) => wallClock(Date.now() - days * 86_400_000, 'UTC').slice(0, 10)

const idOf = () => String(all.fake.control.campaigns(customerId)[0]?.campaign.id)

const spend = (id: string, days: number, units: number, conversions = 0) =>
  all.fake.control.setFigures(customerId, id, dayBefore(days), {
    ...{ costMicros: `${units * 1_000_000}`, impressions: '9', clicks: '2' },
    ...{ conversions, conversionsValue: conversions * 20 },
  })

/** A person removes it in the network’s own page. */
function remove(id: string) {
  const campaign = `customers/${customerId}/campaigns/${id}`
  all.fake.control.edit(customerId, [{ campaignOperation: { remove: campaign } }])
  world.clock.advance(1_000)
}

async function madeAnew(campaign: string): Promise<string> {
  await all.round()
  expect((await deploymentOf(all.owner, campaign)).error).toMatchObject({ code: 'gone' })
  await all.owner.post(`/campaigns/${campaign}/deployment/retry`)
  await all.round()
  expect((await deploymentOf(all.owner, campaign)).state).toBe('in_sync')
  return idOf()
}

const backfilled = async () =>
  all.round({
    backfill: {
      ...{ months: 13, stepMs: 0 },
      progress: await openProgress(join(home, `${all.profile}.json`)),
    },
  })

type Shown = { date: string; spend: number; conversions: number }

async function spentBy(campaign: string): Promise<[string, number][]> {
  const query = `from=${dayBefore(300)}&to=${dayBefore(-1)}`
  const { data } = (await all.owner.get(`/campaigns/${campaign}/results?${query}`)).json()
  return data.map(({ date, spend }: Shown) => [date, spend])
}

test('a day of a campaign that was made anew has what both have spent', async () => {
  const campaign = await deployed(all)
  await all.round()
  const former = idOf()
  spend(former, 2, 10)
  spend(former, 0, 5, 0.1)
  await all.round()
  remove(former)
  const next = await madeAnew(campaign)
  expect(next).not.toBe(former)
  spend(next, 0, 7, 0.2)
  await all.round()
  const sums = [
    [dayBefore(2), 10],
    [dayBefore(0), 12],
  ]
  expect(await spentBy(campaign)).toEqual(sums)
  const { data } = (await all.owner.get(`/campaigns/${campaign}/results`)).json()
  expect(data.at(-1)).toMatchObject({
    ...{ impressions: 18, clicks: 4, conversions: 0.3, conversion_value: 6, is_final: false },
  })
})

test('what comes late of a campaign that was removed for good and detached counts', async () => {
  const campaign = await deployed(all)
  await all.round()
  const object = idOf()
  await all.owner.post(`/campaigns/${campaign}/deployment/remove`)
  await all.round()
  await all.owner.delete(`/campaigns/${campaign}/deployment`)
  spend(object, 0, 8)
  await all.round()
  expect(await spentBy(campaign)).toEqual([[dayBefore(0), 8]])
})

test('what a campaign has spent that was taken over comes after its removal, too', async () => {
  const other = await deployed(all, { name: 'Theirs' })
  await all.round()
  const object = idOf()
  await all.owner.delete(`/campaigns/${other}/deployment`)
  const link = { mode: 'link', network_object_id: object, settings: declared }
  const campaign = await deployed(all, { name: 'Theirs', daily_budget: 40 }, link)
  await all.round()
  remove(object)
  spend(object, 0, 4)
  spend(object, 200, 3)
  await backfilled()
  expect(await spentBy(campaign)).toEqual([
    [dayBefore(200), 3],
    [dayBefore(0), 4],
  ])
  expect(await spentBy(other)).toEqual([])
})

test('months ago are sent once more of a campaign that has another id', async () => {
  const campaign = await deployed(all)
  await all.round()
  const former = idOf()
  spend(former, 200, 3)
  await backfilled()
  remove(former)
  const next = await madeAnew(campaign)
  spend(next, 190, 2)
  await backfilled()
  expect(await spentBy(campaign)).toEqual([
    [dayBefore(200), 3],
    [dayBefore(190), 2],
  ])
})

test('a copy that has the mark of a campaign is not counted for it', async () => {
  const campaign = await deployed(all)
  await all.round()
  const { control } = all.fake
  const [own] = control.campaigns(customerId)
  const [label] = control.account(customerId).held.label.keys()
  const of = `customers/${customerId}`
  const { resourceName: _, id: __, campaignBudget: ___, ...values } = own?.campaign ?? {}
  const [copy, budget] = [`${of}/campaigns/-2`, `${of}/campaignBudgets/-1`]
  const amount = { amountMicros: '1000000', explicitlyShared: false, period: 'DAILY' }
  control.edit(customerId, [
    { campaignBudgetOperation: { create: { resourceName: budget, ...amount } } },
    {
      campaignOperation: {
        create: { ...values, resourceName: copy, name: 'Copy', campaignBudget: budget },
      },
    },
    { campaignLabelOperation: { create: { campaign: copy, label } } },
  ])
  const [first, second] = control.campaigns(customerId)
  spend(String(first?.campaign.id), 0, 5)
  spend(String(second?.campaign.id), 0, 70)
  await all.round()
  expect(await spentBy(campaign)).toEqual([[dayBefore(0), 5]])
})
