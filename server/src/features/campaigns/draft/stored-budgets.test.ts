import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made } from '../../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import {
  type Client,
  clientOf,
  faultsOf,
  openWorld,
  type World,
} from '../../../../test/support/world.ts'

let world: OwnWorld
let owner: Client
let profileId: string

beforeAll(async () => {
  world = await openOwnWorld()
  owner = (await world.organization()).owner
  profileId = await made(owner, '/profiles', { name: 'Acme' })
})
afterAll(() => world.close())

const campaignWith = (fields: object) =>
  made(owner, '/campaigns', {
    name: 'Spring Sale',
    objective: 'sales',
    profile_id: profileId,
    currency: 'USD',
    ...fields,
  })

describe('a budget that is not sent', () => {
  test.each([
    ['JPY', 33, 33],
    ['KWD', 33, 33_000],
    ['EUR', 33, 3_300],
  ])('is the same number in %s', async (currency, amount, minor) => {
    const id = await campaignWith({ daily_budget: 33, lifetime_budget: 330 })
    const reply = await owner.patch(`/campaigns/${id}`, { currency })
    expect(reply.json()).toMatchObject({
      currency,
      daily_budget: amount,
      daily_budget_minor: minor,
      lifetime_budget: 10 * amount,
      lifetime_budget_minor: 10 * minor,
    })
  })

  test('is refused in a currency with too few decimals for it', async () => {
    const id = await campaignWith({ daily_budget: 33.5, lifetime_budget: 1000 })
    const reply = await owner.patch(`/campaigns/${id}`, { currency: 'JPY' })
    expect([reply.statusCode, faultsOf(reply)]).toEqual([422, ['/daily_budget budget_precision']])
    const both = { currency: 'JPY', daily_budget: 34 }
    expect((await owner.patch(`/campaigns/${id}`, both)).json()).toMatchObject({
      daily_budget_minor: 34,
      lifetime_budget_minor: 1000,
    })
  })

  test('of a profile is the same number in another currency too', async () => {
    const id = await made(owner, '/profiles', {
      name: 'Capped',
      currency: 'USD',
      daily_budget_cap: 10.5,
    })
    const dinars = await owner.patch(`/profiles/${id}`, { currency: 'KWD' })
    expect(dinars.json()).toMatchObject({ daily_budget_cap: 10.5 })
    const yen = await owner.patch(`/profiles/${id}`, { currency: 'JPY' })
    expect([yen.statusCode, faultsOf(yen)]).toEqual([422, ['/daily_budget_cap budget_precision']])
  })
})

describe('a budget below a minimum that was raised since', () => {
  let id: string
  let strict: World
  let client: Client

  beforeAll(async () => {
    id = await campaignWith({ daily_budget: 5 })
    const { address } = world.database
    strict = await openWorld({ address, env: { FLIGHTDECK_MINIMUM_BUDGETS: 'USD=1000' } })
    client = clientOf(strict.app, owner)
  })
  afterAll(() => strict.close())

  test('stays while other fields change', async () => {
    const renamed = await client.patch(`/campaigns/${id}`, { name: 'Summer Sale' })
    expect([renamed.statusCode, renamed.json().daily_budget_minor]).toEqual([200, 500])
    const whole = renamed.json()
    const same = await client.put(`/campaigns/${id}`, { ...whole, name: 'Sale' })
    expect([same.statusCode, same.json().daily_budget_minor]).toEqual([200, 500])
  })

  test('cannot be changed to another one, nor copied', async () => {
    const below = [422, ['/daily_budget budget_below_minimum']]
    const changed = await client.patch(`/campaigns/${id}`, { daily_budget: 6 })
    expect([changed.statusCode, faultsOf(changed)]).toEqual(below)
    const copied = await client.post(`/campaigns/${id}/duplicate`)
    expect([copied.statusCode, faultsOf(copied)]).toEqual(below)
    const raised = await client.post(`/campaigns/${id}/duplicate`, { daily_budget: 10 })
    expect([raised.statusCode, raised.json().daily_budget_minor]).toEqual([201, 1000])
  })
})
