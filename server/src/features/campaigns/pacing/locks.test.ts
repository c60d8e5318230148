import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { assessDue } from './due.ts'

let world: OwnWorld

beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const assess = () => assessDue(world.services, AbortSignal.timeout(30_000))

async function dueOnes(): Promise<string[]> {
  const sql = 'select id from campaign_pacing where due_at <= $1 order by id'
  const rows = await world.database.query<{ id: string }>(sql, [world.clock.now().toISOString()])
  return rows.map(({ id }) => id)
}

test('campaigns that another transaction changes are assessed after it, and hold up no others', async () => {
  const organization = await world.organization()
  const profile = await profileOf(organization)
  const launched = async () => {
    const id = await made(organization.owner, '/campaigns', campaignBody(profile))
    expect((await organization.owner.post(`/campaigns/${id}/launch`)).statusCode).toBe(200)
    return id
  }
  const [one, other] = [await launched(), await launched()]
  await assess()
  expect(await dueOnes()).toEqual([])
  for (const id of [one, other]) await organization.owner.patch(`/campaigns/${id}`, { name: id })
  const unlock = await world.database.lock(
    'select from campaign_pacing where organization_id = $1 and id = $2 for update',
    [organization.id, other],
  )
  await assess()
  expect(await dueOnes()).toEqual([other])
  await unlock()
  await expect.poll(() => assess().then(dueOnes)).toEqual([])
})
