import { afterAll, beforeAll, expect, test } from 'vitest'
import { profileOf } from '../../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import type { TestOrganization } from '../../../../test/support/world.ts'
import { eventTypes } from '../../index.ts'
import { gatheringOf } from './due.ts'

let world: OwnWorld
beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const gather = () => gatheringOf(eventTypes).run(world.services, AbortSignal.timeout(20_000))

const behindSql = `
  select h.event_sequence - c.sequence as behind from organization_heads h
  join notification_cursors c on c.organization_id = h.organization_id
  where h.organization_id = $1`

async function behind({ id }: TestOrganization): Promise<number> {
  const [row] = await world.database.query<{ behind: string }>(behindSql, [id])
  return Number(row?.behind)
}

const inboxOf = async ({ owner }: TestOrganization) =>
  (await owner.get('/notifications')).json().data

test('what notifies no one is passed over, and what comes among it is not', async () => {
  const [quiet, loud] = [await world.organization(), await world.organization()]
  const admin = await loud.as('admin')
  await gather()
  await profileOf(quiet)
  await profileOf(loud)
  await admin.post('/api_keys', { name: 'Nightly export', role: 'viewer' })
  await profileOf(loud)
  expect([(await behind(quiet)) > 0, (await behind(loud)) > 0]).toEqual([true, true])
  await gather()
  expect([await behind(quiet), await behind(loud)]).toEqual([0, 0])
  expect(await inboxOf(quiet)).toEqual([])
  expect((await inboxOf(loud))[0]).toMatchObject({ type: 'api_key.created' })
})

test('a channel that is made later is notified of what comes then', async () => {
  const organization = await world.organization()
  await profileOf(organization)
  await gather()
  await organization.owner.post('/notification_channels', {
    ...{ kind: 'webhook', name: 'Ours', target: 'https://example.com/n' },
    events: ['profile.created'],
  })
  await profileOf(organization)
  await gather()
  const messages = await world.database.query(
    `select type from notification_messages where organization_id = $1`,
    [organization.id],
  )
  expect(messages).toEqual([{ type: 'profile.created' }])
})
