import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationsOf, proposed } from '../../../../test/support/cases/change-sets.ts'
import { campaignAfter } from '../../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { runDue } from './timed.ts'

let world: OwnWorld

// Its own database: the task runs everything that is due.
beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const hourMs = 60 * 60 * 1000
const inHours = (hours: number) =>
  new Date(world.clock.now().getTime() + hours * hourMs).toISOString()

async function after(hours: number): Promise<void> {
  world.clock.advance(hours * hourMs)
  await runDue(world.services, AbortSignal.timeout(20_000))
}

/** A change set for the next hour, set back after two more. */
async function timed(mode: 'atomic' | 'partial' = 'atomic') {
  const organization = await world.organization()
  const { owner } = organization
  const campaign = await campaignAfter(organization, ['launch'])
  const operations = [{ op: 'update', id: campaign, body: { notes: 'Sale', labels: ['sale'] } }]
  const times = { apply_at: inHours(1), revert_at: inHours(3), mode }
  const { changeSet } = await proposed(owner, operations, times)
  const [path, change] = [`/campaigns/${campaign}`, `/change_sets/${changeSet.id}`]
  return {
    changeSetId: changeSet.id,
    owner,
    campaign: async () => (await owner.get(path)).json(),
    changeSet: async () => (await owner.get(change)).json(),
    /** As the application never stores it. */
    store: (column: 'body' | 'changes', value: unknown) =>
      world.database.query(
        `update change_set_operations set ${column} = $1 where change_set_id = $2`,
        [JSON.stringify(value), changeSet.id],
      ),
  }
}

const bodies: [string, object][] = [
  ['a name that is empty', { name: '' }],
  ['metadata that is no object', { metadata: false }],
  ['labels that are text', { labels: 'str' }],
  ['an unknown field', { nam: 'x' }],
]

test.each(bodies)('what is due is checked as it was at the proposal: %s', async (_, body) => {
  const { campaign, changeSet, owner, store } = await timed()
  const before = await campaign()
  await store('body', body)
  await after(1)
  const failure = { code: 'change_set_not_applicable' }
  expect(await changeSet()).toMatchObject({ status: 'failed', failure })
  expect(await campaign()).toEqual(before)
  const { data } = (await owner.get('/events?type=change_set.failed')).json()
  expect(data).toMatchObject([{ data: { object: { failure } } }])
})

test('in partial mode, an operation whose stored body is invalid fails alone', async () => {
  const { campaign, changeSet, changeSetId, owner, store } = await timed('partial')
  await store('body', { name: '' })
  await after(1)
  expect((await changeSet()).status).toBe('applied')
  const problem = { code: 'validation_failed', errors: [{ pointer: '/operations/0/body/name' }] }
  expect(await operationsOf(owner, changeSetId)).toMatchObject([{ effect: 'failed', problem }])
  expect((await campaign()).version).toBe(2)
})

test('what is set back is checked too', async () => {
  const { campaign, changeSet, changeSetId, owner, store } = await timed()
  await after(1)
  const { labels } = await campaign()
  await store('changes', [
    { field: 'notes', before: null, after: 'Sale' },
    { field: 'labels', before: 'str', after: labels },
  ])
  await after(2)
  expect(await campaign()).toMatchObject({ notes: null, labels })
  const failure = { code: 'validation_failed' }
  expect(await changeSet()).toMatchObject({ status: 'reverted', failure })
  const left = [{ field: 'labels', reason: 'validation_failed' }]
  expect(await operationsOf(owner, changeSetId)).toMatchObject([
    { result: { reverted: ['notes'], left } },
  ])
})
