import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayOf, report } from '../support/cases/results.ts'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import {
  openWorld,
  password,
  type Reply,
  type TestOrganization,
  type World,
} from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const keyed = (key: string, version?: number) => ({
  'idempotency-key': key,
  ...(version !== undefined && { 'if-match': `"${version}"` }),
})

async function campaign() {
  const organization = await world.organization()
  const { owner } = organization
  const id = await made(owner, '/campaigns', campaignBody(await profileOf(organization)))
  return { organization, owner, id, path: `/campaigns/${id}` }
}

function expectReplay(again: Reply, first: Reply): void {
  expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body])
  expect(again.headers.etag).toBe(first.headers.etag)
  expect([first, again].map(({ headers }) => headers['idempotency-replayed'])).toEqual([
    undefined,
    'true',
  ])
}

const actionsOf = async ({ owner }: TestOrganization, id: string): Promise<string[]> =>
  (await owner.get(`/audit_logs?resource_id=${id}`))
    .json<{ data: { action: string }[] }>()
    .data.map(({ action }) => action)

describe('a write repeated with its Idempotency-Key gets the first answer', () => {
  test.each(['PUT', 'PATCH'] as const)('%s, although its If-Match is old', async (method) => {
    const { organization, owner, id, path } = await campaign()
    const send = () =>
      owner.call({ method, url: path, headers: keyed('k', 1), payload: { notes: 'once' } })
    const first = await send()
    expect([first.statusCode, first.headers.etag]).toEqual([200, '"2"'])
    await owner.patch(path, { notes: 'by someone else' })
    expectReplay(await send(), first)
    expect((await owner.get(path)).json().notes).toBe('by someone else')
    expect(await actionsOf(organization, id)).toEqual([
      'campaign.updated',
      'campaign.updated',
      'campaign.created',
    ])
  })

  test('DELETE, although nothing is left to delete', async () => {
    const { organization, owner, id, path } = await campaign()
    const first = await owner.delete(path, keyed('k', 1))
    expect([first.statusCode, first.body]).toEqual([204, ''])
    expectReplay(await owner.delete(path, keyed('k', 1)), first)
    expect((await owner.delete(path)).statusCode).toBe(404)
    expect(await actionsOf(organization, id)).toEqual(['campaign.deleted', 'campaign.created'])
  })

  test('a write that changes nothing', async () => {
    const { owner, path } = await campaign()
    const body = { name: (await owner.get(path)).json().name }
    const first = await owner.put(path, body, keyed('k', 1))
    expect(first.json().version).toBe(1)
    await owner.patch(path, { notes: 'meanwhile' })
    expectReplay(await owner.put(path, body, keyed('k', 1)), first)
  })

  test('one of several at the same time', async () => {
    const { owner, path } = await campaign()
    const send = () => owner.patch(path, { notes: 'once' }, keyed('k', 1))
    const statuses = (await Promise.all([send(), send(), send()])).map((each) => each.statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(2)
    expect((await send()).headers['idempotency-replayed']).toBe('true')
  })
})

describe('a key', () => {
  test('of another body is refused', async () => {
    const { owner, path } = await campaign()
    await owner.patch(path, { notes: 'a' }, keyed('k'))
    const reply = await owner.patch(path, { notes: 'b' }, keyed('k'))
    expect([reply.statusCode, reply.json().code]).toEqual([422, 'idempotency_key_reused'])
    const type = { 'content-type': 'application/merge-patch+json' }
    const merged = await owner.patch(path, { notes: 'a' }, { ...keyed('k'), ...type })
    expect([merged.statusCode, merged.json().code]).toEqual([422, 'idempotency_key_reused'])
    expect(reply.json().errors).toMatchObject([{ header: 'Idempotency-Key' }])
  })

  test('of other parameters is refused, as they say what is written', async () => {
    const { organization, owner, id } = await campaign()
    const other = await made(owner, '/campaigns', campaignBody(await profileOf(organization)))
    const rows = [id, other].map((each) => ({
      campaign_id: each,
      date: dayOf(world, -1),
      spend: 1,
    }))
    expect((await report(owner, { source: 'twin', rows })).json().counts.created).toBe(2)
    const twin = '/results/sources/twin'
    const one = `${twin}?campaign_id=${id}`
    const first = await owner.delete(one, keyed('k'))
    expect(first.statusCode).toBe(204)
    for (const url of [`${twin}?campaign_id=${other}`, twin]) {
      const reply = await owner.delete(url, keyed('k'))
      expect([reply.statusCode, reply.json().code]).toEqual([422, 'idempotency_key_reused'])
    }
    expectReplay(await owner.delete(`${one}&validate_only=false`, keyed('k')), first)
  })

  test('belongs to its method and its object', async () => {
    const { organization, owner, path } = await campaign()
    const other = await made(owner, '/campaigns', campaignBody(await profileOf(organization)))
    const body = { notes: 'a' }
    const replies = [
      await owner.patch(path, body, keyed('k')),
      await owner.put(path, body, keyed('k')),
      await owner.patch(`/campaigns/${other}`, body, keyed('k')),
      await owner.delete(path, keyed('k')),
      await owner.delete(`/campaigns/${other}`, keyed('k')),
    ]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 204, 204])
    expect(replies.filter(({ headers }) => headers['idempotency-replayed'])).toEqual([])
  })

  test('is free again after a refusal', async () => {
    const { owner, path } = await campaign()
    const stale = await owner.patch(path, { notes: 'a' }, keyed('k', 7))
    expect(stale.json().code).toBe('version_mismatch')
    const body = { notes: 'read again' }
    expect((await owner.patch(path, body, keyed('k', 1))).statusCode).toBe(200)
  })

  test('is ignored on reads and in dry runs', async () => {
    const { owner, path } = await campaign()
    for (const _ of [1, 2]) {
      const read = await owner.get(path, keyed('k'))
      const dry = await owner.delete(`${path}?validate_only=true`, keyed('k'))
      expect([read.statusCode, dry.statusCode]).toEqual([200, 200])
      expect(read.headers).not.toHaveProperty('idempotency-replayed')
    }
    expect((await owner.delete(path, keyed('k'))).statusCode).toBe(204)
  })

  test('that is none is refused on writes only, as it holds nowhere else', async () => {
    const { owner, path } = await campaign()
    const bad = keyed('x'.repeat(256))
    const replies = [
      await owner.get(path, bad),
      await world.anonymous.post('/auth/login', { email: owner.email, password }, bad),
      await owner.patch(path, { notes: 'a' }, bad),
    ]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 400])
  })

  test('does not outlive the credential: what ended it is refused afterwards', async () => {
    const { owner } = await world.organization()
    expect((await owner.delete('/auth/logout', keyed('k'))).statusCode).toBe(204)
    expect((await owner.delete('/auth/logout', keyed('k'))).json().code).toBe('token_revoked')
  })
})
