import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { create, modes, okOf, send } from '../../../../test/support/cases/bulk.ts'
import { campaignAfter, profileOf } from '../../../../test/support/cases/writes.ts'
import { watch } from '../../../../test/support/documented.ts'
import { openWorld, unlimited, type World } from '../../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const minimal = { prefer: 'return=minimal' }

describe.each(modes)('a client that prefers a minimal answer, in mode %s', (mode) => {
  test('gets index, status and id of each operation, without the objects', async () => {
    const organization = await world.organization()
    const profile = await profileOf(organization)
    const [id, gone] = [await campaignAfter(organization), await campaignAfter(organization)]
    const operations = [
      create(profile),
      { op: 'update', id, body: { name: 'B' } },
      { op: 'delete', id: gone },
    ]
    const reply = await send(organization, { mode, operations }, minimal)
    expect([reply.statusCode, reply.headers['preference-applied']]).toEqual([
      okOf[mode],
      'return=minimal',
    ])
    const [created] = reply.json().results
    expect(reply.json()).toEqual({
      results: [
        { index: 0, status: 201, id: created.id },
        { index: 1, status: 200, id },
        { index: 2, status: 204, id: gone },
      ],
    })
    expect((await organization.owner.get(`/campaigns/${created.id}`)).statusCode).toBe(200)
  })

  test('gets a repetition in the form that this one prefers', async () => {
    const organization = await world.organization()
    const operations = [create(await profileOf(organization))]
    const key = { 'idempotency-key': 'once' }
    const first = await send(organization, { mode, operations }, { ...key, ...minimal })
    const [{ id }] = first.json().results
    const whole = await send(organization, { mode, operations }, key)
    expect(whole.json().results).toMatchObject([{ id, object: { id } }])
    expect(whole.headers['preference-applied']).toBeUndefined()
    const again = await send(organization, { mode, operations }, { ...key, ...minimal })
    expect([again.json(), again.headers['idempotency-replayed']]).toEqual([first.json(), 'true'])
  })
})

test('problems stay', async () => {
  const organization = await world.organization()
  const operations = [{ op: 'delete', id: 'cmp_01m7z5w3zgesmre12jyjcwek9j' }]
  const reply = await send(organization, { mode: 'partial', operations }, minimal)
  expect(reply.json().results).toMatchObject([{ status: 404, problem: { code: 'not_found' } }])
})

test.each([
  ['Return = "minimal"', true],
  ['respond-async, return=minimal; wait=5', true],
  ['return=representation', false],
  ['return=representation, return=minimal', false],
  ['return', false],
  ['minimal', false],
  ['', false],
])('Prefer: %s', async (prefer, isMinimal) => {
  const organization = await world.organization()
  const operations = [create(await profileOf(organization))]
  const reply = await send(organization, { mode: 'partial', operations }, { prefer })
  expect('object' in reply.json().results[0]).toBe(!isMinimal)
  expect(reply.headers['preference-applied'] !== undefined).toBe(isMinimal)
})

test('other endpoints ignore it', async () => {
  const { owner } = await world.organization()
  const reply = await owner.post('/profiles', { name: 'A' }, minimal)
  expect([reply.json().name, reply.headers['preference-applied']]).toEqual(['A', undefined])
})
