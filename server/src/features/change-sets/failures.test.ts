import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/cases/bulk.ts'
import { campaignAfter } from '../../../test/support/cases/writes.ts'
import { openWorld, unlimited, type World } from '../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const path = '/change_sets'

test('answers which operations fail, also where nothing is stored', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const id = await campaignAfter(organization)
  const body = {
    title: 'Weekend sale',
    operations: [
      { op: 'update', id, body: { name: 'Fine' } },
      { op: 'update', id, body: { daily_budget: -1 } },
      { op: 'action', id, action: 'resume' },
    ],
  }
  const failures = [
    { index: 1, problem: { errors: [{ pointer: '/operations/1/body/daily_budget' }] } },
    { index: 2, problem: { code: 'invalid_state_transition' } },
  ]
  const tried = await owner.post(`${path}?validate_only=true`, body)
  expect(tried.json()).toMatchObject({ summary: { failed: 2 }, failures })
  const { failures: found, ...stored } = (await owner.post(path, body)).json()
  expect(found).toMatchObject(failures)
  expect((await owner.get(`${path}/${stored.id}`)).json()).toEqual(stored)
  const { data } = (await owner.get(`${path}/${stored.id}/operations`)).json()
  expect(data).toMatchObject([
    { effect: 'update', body: { name: 'Fine' } },
    { effect: 'failed', changes: [], body: { daily_budget: -1 } },
    { effect: 'failed', body: null },
  ])
  const refreshed = await owner.post(`${path}/${stored.id}/refresh`)
  expect(refreshed.json()).toMatchObject({ failures })
  const [created] = (await eventsOf(organization)).filter(
    ({ type }) => type === 'change_set.created',
  )
  expect(created).not.toHaveProperty('data.object.failures')
})

test('refuses a version that no object can have', async () => {
  const organization = await world.organization()
  const id = await campaignAfter(organization)
  for (const version of [2 ** 31, 1e300]) {
    const operations = [{ op: 'update', id, body: { name: 'Fine' }, version }]
    const reply = await organization.owner.post(path, { title: 'Weekend sale', operations })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().errors).toMatchObject([
      { pointer: '/operations/0/version', code: 'out_of_range' },
    ])
  }
})
