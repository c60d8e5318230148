import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { made } from '../../../test/support/cases/writes.ts'
import { watch } from '../../../test/support/documented.ts'
import { scopedMember } from '../../../test/support/scoped.ts'
import {
  type Client,
  faultsOf,
  openWorld,
  type Reply,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const view = (more: object = {}) => ({ resource: 'campaigns', name: 'Over plan', ...more })
const shared = view({ shared: true, query: 'status=active&sort=-end_at', columns: ['name'] })
const idsOf = (reply: Reply) => reply.json().data.map(({ id }: { id: string }) => id)
const statusOf = async (reply: Promise<Reply>) => (await reply).statusCode

const trailOf = async ({ owner }: TestOrganization, id: string) =>
  (await owner.get(`/audit_logs?resource_id=${id}`)).json().data
const eventsOf = async ({ owner }: TestOrganization) =>
  (await owner.get('/events?type=view.*')).json().data

describe('a view', () => {
  test('keeps the filters, order and columns of a list', async () => {
    const { owner } = await world.organization()
    const reply = await owner.post('/views', { ...shared, name: ' Ends soon ' })
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({
      id: expect.stringMatching(/^viw_/),
      resource: 'campaigns',
      name: 'Ends soon',
      query: 'status=active&sort=-end_at',
      columns: ['name'],
      shared: true,
      version: 1,
      created_by: owner.userId,
    })
    expect(reply.headers.location).toBe(`/api/v1/views/${reply.json().id}`)
    const changed = await owner.patch(reply.headers.location?.slice(7) ?? '', { columns: [] })
    expect(changed.json()).toMatchObject({ columns: [], name: 'Ends soon', version: 2 })
  })

  test('is of one person unless it is shared, and is then found by its list', async () => {
    const { owner } = await world.organization()
    const own = await made(owner, '/views', view())
    const ours = await made(owner, '/views', { ...shared, resource: 'pacing' })
    expect((await owner.get(`/views/${own}`)).json()).toMatchObject({
      query: '',
      columns: [],
      shared: false,
    })
    expect(idsOf(await owner.get('/views'))).toEqual([ours, own])
    expect(idsOf(await owner.get('/views?resource=campaigns'))).toEqual([own])
    expect(idsOf(await owner.get('/views?shared=true'))).toEqual([ours])
    expect(idsOf(await owner.get('/views?q=plan&sort=name'))).toEqual([own, ours])
  })

  test('is refused with all of its faults', async () => {
    const { owner } = await world.organization()
    const columns = Array.from({ length: 51 }, (_, at) => `c${at}`)
    const faulty = { resource: 'members', name: '\u0000', query: 'a b', columns, shared: 1, x: 1 }
    expect(faultsOf(await owner.post('/views', faulty)).sort()).toEqual([
      '/columns too_many_items',
      '/name invalid_format',
      '/query invalid_format',
      '/resource invalid_enum_value',
      '/shared invalid_type',
      '/x unknown_field',
    ])
    expect(await statusOf(owner.post('/views', view({ query: 'x'.repeat(4096) })))).toBe(201)
    expect(faultsOf(await owner.post('/views', view({ query: 'x'.repeat(4097) })))).toEqual([
      '/query too_long',
    ])
    const id = await made(owner, '/views', view())
    expect(faultsOf(await owner.patch(`/views/${id}`, { resource: 'pacing' }))).toEqual([
      '/resource read_only_field',
    ])
    expect(await statusOf(owner.put(`/views/${id}`, {}))).toBe(405)
  })
})

describe('views of others', () => {
  const everyWay = (client: Client, id: string) =>
    Promise.all([
      statusOf(client.get(`/views/${id}`)),
      statusOf(client.patch(`/views/${id}`, { name: 'Mine now' })),
      statusOf(client.delete(`/views/${id}`)),
    ])

  test('do not exist where they are not shared, for owners too', async () => {
    const { owner, as } = await world.organization()
    const viewer = await as('viewer')
    const id = await made(viewer, '/views', view())
    expect(await everyWay(owner, id)).toEqual([404, 404, 404])
    expect(idsOf(await owner.get('/views?include_total=true'))).toEqual([])
    expect((await owner.get('/views?include_total=true')).json().meta.total).toBe(0)
    expect(idsOf(await viewer.get('/views'))).toEqual([id])
  })

  test('are read where they are shared, and changed by author, admins and owners', async () => {
    const organization = await world.organization()
    const [author, other, admin] = await Promise.all([
      organization.as('viewer'),
      organization.as('editor'),
      organization.as('admin'),
    ])
    const id = await made(author, '/views', shared)
    expect(await everyWay(other, id)).toEqual([200, 403, 403])
    expect((await other.delete(`/views/${id}`)).json()).toMatchObject({
      code: 'insufficient_role',
      required_roles: ['owner', 'admin'],
    })
    const trail = await trailOf(organization, id)
    expect(trail[0]).toMatchObject({ action: 'view.deleted', outcome: 'denied' })
    expect((await admin.patch(`/views/${id}`, { name: 'Ours' })).json().name).toBe('Ours')
    const taken = await admin.patch(`/views/${id}`, { shared: false })
    expect(faultsOf(taken)).toEqual(['/shared immutable_field'])
    expect((await author.patch(`/views/${id}`, { shared: false })).json().shared).toBe(false)
    expect(await everyWay(admin, id)).toEqual([404, 404, 404])
  })

  test('of another organization are missing ones', async () => {
    const [{ owner }, { owner: stranger }] = [
      await world.organization(),
      await world.organization(),
    ]
    expect(await everyWay(stranger, await made(owner, '/views', shared))).toEqual([404, 404, 404])
  })

  test('go with their author where they are not shared', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const editor = await organization.as('editor')
    const own = await made(editor, '/views', view())
    const ours = await made(editor, '/views', shared)
    await owner.delete(`/members/${editor.userId}`)
    const sql = 'select id from views where organization_id = $1'
    const { reader } = organization.ctx.services.database
    const left = await reader.query({ sql, parameters: [organization.id] })
    expect(left).toEqual([{ id: ours }])
    expect(own).not.toBe(ours)
  })
})

describe('with a scope', () => {
  test('one sees only what is one’s own, and still shares it', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const theirs = await made(owner, '/views', { ...shared, name: 'Secret client' })
    const client = await made(owner, '/clients', { name: 'Northwind' })
    const member = await scopedMember(organization, 'editor', { client_ids: [client] })
    const mine = await made(member, '/views', shared)
    expect(idsOf(await member.get('/views'))).toEqual([mine])
    expect(await statusOf(member.get(`/views/${theirs}`))).toBe(404)
    expect(await statusOf(member.patch(`/views/${theirs}`, { name: 'X' }))).toBe(404)
    expect((await member.get('/events?type=view.*')).body).not.toContain('Secret client')
    expect(idsOf(await owner.get('/views?sort=created_at'))).toEqual([theirs, mine])
    expect(await statusOf(owner.patch(`/views/${mine}`, { name: 'Checked' }))).toBe(200)
  })
})

describe('what is recorded', () => {
  test('of shared views: audit and events', async () => {
    const organization = await world.organization()
    const id = await made(organization.owner, '/views', shared)
    await organization.owner.delete(`/views/${id}`)
    const types = (await eventsOf(organization)).map(({ type }: { type: string }) => type)
    expect(types).toEqual(['view.deleted', 'view.created'])
    expect((await trailOf(organization, id))[1]).toMatchObject({ action: 'view.created' })
  })

  test('of one’s own: that it happened, not what is in it', async () => {
    const organization = await world.organization()
    const editor = await organization.as('editor')
    const secret = { name: 'Watch Northwind', query: 'q=northwind', columns: ['margin'] }
    const id = await made(editor, '/views', view(secret))
    await editor.patch(`/views/${id}`, { query: 'q=northwind&sort=name' })
    await editor.patch(`/views/${id}`, { name: 'For all', query: 'q=x', columns: [], shared: true })
    await editor.patch(`/views/${id}`, { ...secret, shared: false })
    await editor.delete(`/views/${id}`)
    const [trail, events] = [await trailOf(organization, id), await eventsOf(organization)]
    expect(trail.map(({ action }: { action: string }) => action)).toEqual([
      'view.deleted',
      'view.updated',
      'view.updated',
      'view.updated',
      'view.created',
    ])
    expect(events).toHaveLength(2)
    expect(JSON.stringify([trail, events])).not.toMatch(/northwind|margin/i)
    expect(trail[0]).toMatchObject({ resource: { type: 'view', id, name: null }, changes: [] })
  })
})

describe('caps', () => {
  test('100 of one’s own, by person and by API key', async () => {
    const { owner, as } = await world.organization()
    const editor = await as('editor')
    for (let at = 0; at < 100; at += 1) await made(editor, '/views', view())
    const refused = await editor.post('/views', view())
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { code: 'limit_exceeded', limit: 100 },
    ])
    expect(await statusOf(editor.post('/views', shared))).toBe(201)
    expect(await statusOf(owner.post('/views', view()))).toBe(201)
    const { client } = await madeKey(world, owner, { role: 'viewer' })
    const own = await made(client, '/views', view())
    expect(idsOf(await client.get('/views?shared=false'))).toEqual([own])
  })

  test('200 of the organization', async () => {
    const { owner } = await world.organization()
    for (let at = 0; at < 200; at += 1) await made(owner, '/views', shared)
    const own = await made(owner, '/views', view())
    for (const reply of [
      await owner.post('/views', shared),
      await owner.patch(`/views/${own}`, { shared: true }),
    ]) {
      expect([reply.statusCode, reply.json()]).toMatchObject([
        409,
        { code: 'limit_exceeded', limit: 200 },
      ])
    }
    expect((await owner.get('/limits')).json().caps.views).toMatchObject({ limit: 200, used: 200 })
  })
})
