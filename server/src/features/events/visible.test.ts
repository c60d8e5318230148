import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { watch } from '../../../test/support/documented.ts'
import { listen, openStream, type StreamedEvent } from '../../../test/support/event-stream.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'

let world: World
let url: string

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  url = await listen(world.app)
})
afterAll(() => world.close())

const hidden = /^(member|api_key|webhook_endpoint)\.|^organization\.guardrails_updated$/
const isHidden = ({ type }: Pick<StreamedEvent, 'type'>) => hidden.test(type)
const typesOf = (events: readonly StreamedEvent[]) => events.map(({ type }) => type)

/** An event of each resource with separate permissions, between others. */
async function busy() {
  const organization = await world.organization()
  const { owner } = organization
  const editor = await organization.as('editor')
  await owner.post('/templates', { name: 'A' })
  await owner.put('/organization/guardrails', { max_increase_percent: 10 })
  await owner.post('/webhook_endpoints', { url: 'https://example.com/hooks/secret' })
  await owner.post('/profiles', { name: 'B' })
  await madeKey(world, owner)
  const all: StreamedEvent[] = (await owner.get('/events?sort=sequence')).json().data
  return { organization, owner, editor, all }
}

async function walk(client: Client, query: string): Promise<StreamedEvent[]> {
  const seen: StreamedEvent[] = []
  let cursor = ''
  do {
    const { data, meta } = (await client.get(`/events?limit=1&${query}${cursor}`)).json()
    expect(data).toHaveLength(1)
    seen.push(...data)
    cursor = meta.has_more ? `&cursor=${meta.next_cursor}` : ''
  } while (cursor)
  return seen
}

describe('an editor sees no events of resources that editors may not read', () => {
  test('in the list, whose pages are full and whose sequences have gaps', async () => {
    const { owner, editor, all } = await busy()
    const visible = all.filter((event) => !isHidden(event))
    expect(visible.length).toBeLessThan(all.length - 3)
    expect(await walk(editor, 'sort=sequence')).toEqual(visible)
    expect(await walk(editor, '')).toEqual(visible.toReversed())
    const { meta } = (await editor.get('/events?include_total=true')).json()
    expect(meta.total).toBe(visible.length)
    expect((await editor.get('/events?type=member.*,api_key.created')).json().data).toEqual([])
    expect(await walk(owner, 'sort=sequence')).toEqual(all)
  })

  test('in the list, after one who sees all has asked for the same pages', async () => {
    const { owner, editor, all } = await busy()
    const visible = all.filter((event) => !isHidden(event))
    expect(await walk(owner, 'sort=sequence')).toEqual(all)
    expect(await walk(owner, '')).toEqual(all.toReversed())
    expect(await walk(editor, 'sort=sequence')).toEqual(visible)
    expect(await walk(editor, '')).toEqual(visible.toReversed())
  })

  test('individually: they are missing', async () => {
    const { editor, all } = await busy()
    const bodyOf = async (id: string) => {
      const reply = await editor.get(`/events/${id}`)
      const { request_id: _, instance: __, ...body } = reply.json()
      return [reply.statusCode, body]
    }
    const missing = await bodyOf('evt_01m7yez275fk1a52pr5qevn8kn')
    expect(missing[0]).toBe(404)
    for (const event of all) {
      const found = await bodyOf(event.id)
      if (isHidden(event)) expect([event.type, found]).toEqual([event.type, missing])
      else expect([event.type, found[0]]).toEqual([event.type, 200])
    }
  })

  test('in the stream, resumed and live, and with an editor’s key', async () => {
    const { owner, editor, all } = await busy()
    const { key } = await madeKey(world, owner, { role: 'editor' })
    const open = (token: string | null) => openStream(url, { token }, { lastEventId: all[0]?.id })
    const streams = await Promise.all([editor.token, key].map(open))
    const visible = all.slice(1).filter((event) => !isHidden(event))
    for (const stream of streams) expect(await stream.events(visible.length)).toEqual(visible)
    await owner.put('/organization/guardrails', { max_increase_percent: 20 })
    await owner.post('/templates', { name: 'Live' })
    for (const stream of streams) {
      expect(typesOf(await stream.events(1))).toEqual(['template.created'])
      await stream.hangUp()
    }
  })
})

test('a stream uses the current role of its user', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const admin = await organization.as('admin')
  const stream = await openStream(url, admin)
  const be = (role: string) => owner.put(`/members/${admin.userId}`, { role })
  const mark = (name: string) => owner.post('/templates', { name })
  await stream.block()
  await owner.put(`/members/${admin.userId}`, { name: 'Renamed' })
  expect(typesOf(await stream.events(1))).toEqual(['member.updated'])
  await be('editor')
  await owner.put(`/members/${admin.userId}`, { name: 'Again' })
  await mark('as editor')
  expect(typesOf(await stream.events(1))).toEqual(['template.created'])
  await be('admin')
  await mark('as admin')
  expect(typesOf(await stream.events(2))).toEqual(['member.updated', 'template.created'])
  await be('viewer')
  expect((await stream.rest()).at(-1)?.comment).toBe('end insufficient_role')
})

test('endpoints are shown by their origin in events and in the audit log', async () => {
  const { organization, owner } = await busy()
  const [{ id, url: whole }] = (await owner.get('/webhook_endpoints')).json().data
  expect(whole).toBe('https://example.com/hooks/secret')
  await owner.post(`/webhook_endpoints/${id}/disable`)
  await owner.post(`/webhook_endpoints/${id}/enable`)
  await owner.post(`/webhook_endpoints/${id}/rotate_secret`, {})
  await owner.post(`/webhook_endpoints/${id}/test`)
  await owner.delete(`/webhook_endpoints/${id}`)
  const events: StreamedEvent[] = (await owner.get('/events?type=webhook_endpoint.*')).json().data
  expect(events).toHaveLength(5)
  for (const event of events) expect(event.data.object.url).toBe('https://example.com')
  const kept = await contentsOf(organization)
  expect(kept).toContain('https://example.com')
  expect(kept).not.toContain('/hooks/secret')
})

const contentsOf = async ({ id }: TestOrganization): Promise<string> => {
  const tables = ['events', 'audit_logs', 'webhook_deliveries']
  const rows = tables.map((table) => {
    const sql = `select * from ${table} where organization_id = $1`
    return world.services.database.reader.query({ sql, parameters: [id] })
  })
  return JSON.stringify(await Promise.all(rows))
}
