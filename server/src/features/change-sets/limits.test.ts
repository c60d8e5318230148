import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everythingOf } from '../../../test/support/cases/bulk.ts'
import { proposing } from '../../../test/support/cases/change-sets.ts'
import { campaignAfter } from '../../../test/support/cases/writes.ts'
import { watch } from '../../../test/support/documented.ts'
import { type Client, openWorld, type Reply, type World } from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  const env = { FLIGHTDECK_PLAN_LIMITS: 'free=40', FLIGHTDECK_CAPS: 'change_sets=2' }
  world = watch(await openWorld({ env }))
})
afterAll(() => world.close())

const remaining = ({ headers }: Reply) => Number(headers['x-ratelimit-remaining'])

/** The status of a request, and how much of the limit it took. */
async function costOf(client: Client, request: () => Promise<Reply>) {
  const before = remaining(await client.get('/limits'))
  const reply = await request()
  return { status: reply.statusCode, cost: before - remaining(reply) }
}

const failing = (count: number) =>
  Array.from({ length: count }, () => ({ op: 'delete', id: 'cmp_x' }))

const notes = (id: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ op: 'update', id, body: { notes: `${at}` } }))

describe('the rate limit', () => {
  test.each([
    [1, 1],
    [10, 1],
    [11, 2],
    [20, 2],
    [21, 3],
  ])('counts a proposal of %i operations as %i requests', async (count, cost) => {
    const { owner } = await world.organization({ plan: 'free' })
    const sent = await costOf(owner, () => proposing(owner, failing(count)))
    expect(sent).toEqual({ status: 201, cost })
  })

  test('counts them once at the proposal, at each trial, and once when applied', async () => {
    const organization = await world.organization({ plan: 'free' })
    const { owner } = organization
    const id = await campaignAfter(organization, [])
    const { id: changeSet } = (await proposing(owner, notes(id, 21))).json()
    const act = (action: string) =>
      costOf(owner, () => owner.post(`/change_sets/${changeSet}/${action}`))
    expect(await act('apply?validate_only=true')).toEqual({ status: 200, cost: 3 })
    expect(await act('refresh')).toEqual({ status: 200, cost: 3 })
    expect(await act('apply')).toEqual({ status: 200, cost: 3 })
    expect(await act('apply')).toEqual({ status: 200, cost: 1 })
    const reads = [`/change_sets/${changeSet}`, `/change_sets/${changeSet}/operations`]
    for (const path of reads) {
      expect(await costOf(owner, () => owner.get(path))).toEqual({ status: 200, cost: 1 })
    }
  })

  test('counts a refused proposal too, and the bytes where they are more', async () => {
    const { owner } = await world.organization({ plan: 'free' })
    const strange = [...failing(11), { op: 'paint', id: 'cmp_x' }]
    expect(await costOf(owner, () => proposing(owner, strange))).toEqual({ status: 422, cost: 2 })
    const wide = [{ op: 'update', id: 'cmp_x', body: { notes: 'x'.repeat(40 * 1024) } }]
    expect(await costOf(owner, () => proposing(owner, wide))).toEqual({ status: 201, cost: 3 })
  })

  test('refuses what goes beyond it, and neither stores nor counts that', async () => {
    const organization = await world.organization({ plan: 'free' })
    const { owner } = organization
    expect((await proposing(owner, failing(300))).statusCode).toBe(201)
    // Measures what is stored.
    await owner.get('/limits')
    const before = await everythingOf(world, organization)
    const left = remaining(await owner.get('/limits'))
    const refused = await proposing(owner, failing(101))
    expect([refused.statusCode, remaining(refused)]).toEqual([429, left])
    expect(await everythingOf(world, organization)).toEqual(before)
    expect(await costOf(owner, () => proposing(owner, failing(1)))).toMatchObject({ cost: 1 })
  })

  test.each([
    ['with a last line end', 10, '\n', 1],
    ['without one', 10, '', 1],
    ['with empty lines', 10, '\r\n\r\n\r\n', 1],
    ['of eleven rows', 11, '\n', 2],
  ])('counts the rows of a spreadsheet %s', async (_, count, end, cost) => {
    const { owner } = await world.organization({ plan: 'free' })
    const rows = Array.from({ length: count }, (_, at) => `Campaign ${at},"two\nlines"`)
    const payload = ['name,notes', ...rows].join('\n') + end
    const options = { method: 'POST', headers: { 'content-type': 'text/csv' }, payload } as const
    const sending = () => owner.call({ ...options, url: '/change_sets/from_csv' })
    expect(await costOf(owner, sending)).toEqual({ status: 201, cost })
  })
})

test('an organization has as many open change sets as the cap says', async () => {
  const { owner } = await world.organization()
  const { id } = (await proposing(owner, failing(1))).json()
  expect((await proposing(owner, failing(1))).statusCode).toBe(201)
  const refused = await proposing(owner, failing(1))
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { code: 'limit_exceeded', resource: 'change_sets', limit: 2 },
  ])
  expect((await owner.get('/limits')).json().caps.change_sets).toEqual({ used: 2, limit: 2 })
  await owner.post(`/change_sets/${id}/cancel`)
  expect((await owner.get('/limits')).json().caps.change_sets).toEqual({ used: 1, limit: 2 })
  expect((await proposing(owner, failing(1))).statusCode).toBe(201)
})
