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

const inboxOf = async ({ owner }: TestOrganization): Promise<string[]> =>
  (await owner.get('/notifications')).json().data.map(({ type }: { type: string }) => type)

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
  expect(await inboxOf(loud)).toContain('api_key.created')
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

test('what could not be notified is looked at again, and what has not changed is not', async () => {
  const organization = await world.organization()
  const admin = await organization.as('admin')
  await gather()
  await admin.post('/api_keys', { name: 'Nightly export', role: 'viewer' })
  await world.database.query(`create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'not today'; end $$`)
  await world.database.query(`create trigger refuse before insert on notifications
    for each row execute function refuse()`)
  await gather()
  expect(await inboxOf(organization)).not.toContain('api_key.created')
  await world.database.query('drop trigger refuse on notifications')
  await gather()
  expect(await inboxOf(organization)).toContain('api_key.created')
  // A head that moves without a commit of a process, which none does, is seen by the next sweep alone.
  await world.database.query(
    'update organization_heads set event_sequence = event_sequence + 1 where organization_id = $1',
    [organization.id],
  )
  await gather()
  expect(await behind(organization)).toBe(1)
})
