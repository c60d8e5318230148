import { afterAll, beforeAll, expect, test } from 'vitest'
import { proposed } from '../../../../test/support/cases/change-sets.ts'
import { campaignAfter } from '../../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import type { TestOrganization } from '../../../../test/support/world.ts'
import { readMigrations } from '../../../database/upkeep/migrate.ts'
import { runDue } from '../../change-sets/timed/timed.ts'
import { moveDue } from '../timed-moves.ts'

let world: OwnWorld

// Its own database: the tasks and the migration are for all organizations.
beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const hourMs = 3_600_000
const inHours = (hours: number) =>
  new Date(world.clock.now().getTime() + hours * hourMs).toISOString()

async function afterHours(hours: number): Promise<void> {
  world.clock.advance(hours * hourMs)
  await moveDue(world.services, AbortSignal.timeout(20_000))
  await runDue(world.services, AbortSignal.timeout(20_000))
}

/** Forgets the last changes of status, and fills them as the migration did. */
async function fillAgain(): Promise<void> {
  const migration = (await readMigrations()).find(({ name }) => name.endsWith('status_changes'))
  const filling = migration?.sql.split(';\n').find((each) => each.includes('update campaigns'))
  expect(filling).toContain('set status_change')
  await world.database.query('update campaigns set status_change = null')
  await world.database.query(String(filling))
}

const stored = () =>
  world.database.query<{ id: string; status: string; status_change: object | null }>(
    'select id, status, status_change from campaigns order by id',
  )

/** Campaigns of every status, led there by people, by a change set, by the clock and by a profile. */
async function everyStatus(organization: TestOrganization): Promise<void> {
  const { owner } = organization
  const after = (actions: string[], body = {}) => campaignAfter(organization, actions, body)
  const start_at = inHours(1)
  await after([])
  await after(['launch'], { start_at, end_at: inHours(2) })
  await after(['launch'], { start_at, end_at: inHours(30) })
  await after(['launch'], { start_at: inHours(48) })
  await after(['launch', 'unschedule'], { start_at: inHours(48) })
  await after(['launch', 'pause', 'resume'])
  await after(['launch', 'complete', 'archive', 'unarchive'])
  await after(['launch', 'complete', 'archive'])
  const paused = await after(['launch'])
  await owner.post(`/campaigns/${paused}/pause`, { reason: 'Landing page down' })
  const stopped = await after(['launch'])
  const { profile_id } = (await owner.get(`/campaigns/${stopped}`)).json()
  await owner.patch(`/profiles/${profile_id}`, { status: 'paused' })
  const proposedFor = await after(['launch'])
  const operations = [{ op: 'action', id: proposedFor, action: 'pause' }]
  const { changeSet } = await proposed(owner, operations)
  await owner.post(`/change_sets/${changeSet.id}/apply`)
  await owner.put('/organization/guardrails', { approval: { mode: 'always' } })
  await after(['submit'])
  await after(['submit', 'withdraw'])
  const rejected = await after(['submit'])
  const admin = await organization.as('admin')
  await admin.post(`/campaigns/${rejected}/reject`, { reason: 'Wrong account' })
  const approved = await after(['submit'])
  await admin.post(`/campaigns/${approved}/approve`, undefined, { 'if-match': '"2"' })
  await afterHours(3)
}

test('the migration fills from the audit log what changes of status store', async () => {
  await everyStatus(await world.organization())
  const before = await stored()
  expect(new Set(before.map(({ status }) => status)).size).toBe(7)
  expect(before.filter(({ status_change }) => status_change === null)).toHaveLength(1)
  await fillAgain()
  expect(await stored()).toEqual(before)
})

test('a change set of before the migration finds its way back', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const id = await campaignAfter(organization, ['launch'])
  const operations = [
    { op: 'update', id, body: { notes: 'Sale' } },
    { op: 'action', id, action: 'pause' },
  ]
  const times = { apply_at: inHours(1), revert_at: inHours(3) }
  const { changeSet } = await proposed(owner, operations, times)
  await afterHours(1)
  await fillAgain()
  const campaign = async () => (await owner.get(`/campaigns/${id}`)).json()
  const change = { action: 'pause', change_set_id: changeSet.id }
  expect(await campaign()).toMatchObject({ status: 'paused', status_change: change })
  await afterHours(2)
  expect(await campaign()).toMatchObject({
    status: 'active',
    notes: null,
    status_change: { action: 'resume', change_set_id: changeSet.id },
  })
  const reverted = (await owner.get(`/change_sets/${changeSet.id}`)).json()
  expect(reverted).toMatchObject({ status: 'reverted', failure: null })
})
