import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Background } from '../../src/background/scheduler.ts'
import { singletonTasks } from '../../src/features/work.ts'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { backgroundOf } from '../support/machines/background.ts'
import { msUntil } from '../support/machines/replica.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { openWorld, type World } from '../support/world.ts'

// Two worker processes, on their own database.
let here: OwnWorld
let there: World
let working: Background[]

beforeAll(async () => {
  here = await openOwnWorld()
  const { address } = here.database
  there = await openWorld({ address, clock: here.clock })
  working = [here, there].map(({ services }) => backgroundOf({ services, address }))
})
afterAll(async () => {
  await Promise.all(working.map((each) => each.stop()))
  await there.close()
  await here.close()
})

const holders = () =>
  here.database.query<{ name: string }>(
    `select name from leases where expires_at > clock_timestamp() and name = any($1) order by name`,
    [singletonTasks.map(({ name }) => name)],
  )

const eachOnce = singletonTasks
  .map(({ name }) => ({ name }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

async function scheduled(): Promise<() => Promise<string[]>> {
  const organization = await here.organization()
  const { owner } = organization
  const start_at = new Date(here.clock.now().getTime() + 100_000).toISOString()
  const body = { ...campaignBody(await profileOf(organization)), start_at }
  const id = await made(owner, '/campaigns', body)
  expect((await owner.post(`/campaigns/${id}/launch`)).statusCode).toBe(200)
  return async () => {
    const { data } = (await owner.get('/events?type=campaign.*&sort=sequence')).json()
    return data.map(({ type }: { type: string }) => type)
  }
}

test('each background task runs in one process at a time, and has its effect once', async () => {
  await msUntil(async () => (await holders()).length === singletonTasks.length, 10_000)
  expect(await holders()).toEqual(eachOnce)
  const campaigns = await Promise.all([scheduled(), scheduled(), scheduled()])
  here.clock.advance(100_000)
  for (const typesOf of campaigns) {
    await msUntil(async () => (await typesOf()).includes('campaign.activated'))
    const reported = (await typesOf()).filter((type) => type === 'campaign.activated')
    expect(reported).toHaveLength(1)
  }
  expect(await holders()).toEqual(eachOnce)
})

test('a task released by a stopping process is taken over at once', async () => {
  for (const stopped of working.splice(0, 1)) await stopped.stop()
  const typesOf = await scheduled()
  await msUntil(async () => (await holders()).length === singletonTasks.length, 5_000)
  here.clock.advance(100_000)
  await msUntil(async () => (await typesOf()).includes('campaign.activated'))
  expect((await typesOf()).filter((type) => type === 'campaign.activated')).toHaveLength(1)
})
