import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { judgeDue } from './due.ts'

let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const judge = () => judgeDue(world.services, AbortSignal.timeout(30_000))

async function dueOnes(): Promise<string[]> {
  const sql = 'select id from campaign_performance where due_at <= $1 order by id'
  const rows = await world.database.query<{ id: string }>(sql, [world.clock.now().toISOString()])
  return rows.map(({ id }) => id)
}

test('campaigns that another transaction changes are judged after it, and hold up no others', async () => {
  const organization = await world.organization()
  const profile = await profileOf(organization)
  const body = { ...campaignBody(profile), target: { metric: 'cpa', value: 20 } }
  const launched = async () => {
    const id = await made(organization.owner, '/campaigns', body)
    expect((await organization.owner.post(`/campaigns/${id}/launch`)).statusCode).toBe(200)
    return id
  }
  const [one, other] = [await launched(), await launched()]
  expect(await dueOnes()).toEqual([one, other].toSorted())
  await judge()
  const target = { metric: 'cpa', value: 30 }
  for (const id of [one, other]) await organization.owner.patch(`/campaigns/${id}`, { target })
  const unlock = await world.database.lock(
    'select from campaign_performance where organization_id = $1 and id = $2 for update',
    [organization.id, other],
  )
  await judge()
  expect(await dueOnes()).toEqual([other])
  await unlock()
  await expect.poll(() => judge().then(dueOnes)).toEqual([])
})
