import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignIds } from '../../src/features/campaigns/resource.ts'
import { methodsOf } from '../../src/http/endpoint.ts'
import { newId } from '../../src/values/ids.ts'
import { pathWith, reads, writes } from '../support/cases/write-cases.ts'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { endpoints, watch } from '../support/documented.ts'
import {
  type Client,
  openWorld,
  type Reply,
  type TestOrganization,
  unlimited,
  type World,
} from '../support/world.ts'

const routes = endpoints
  // Connectors alone may use these, and only their own leases.
  .filter(({ path }) => path.includes('/:id') && !path.startsWith('/connector/'))
  .flatMap(({ path }) => {
    const methods = endpoints.filter((each) => each.path === path).flatMap(methodsOf)
    return [...new Set(methods)].map((method) => ({ name: `${method} ${path}`, method, path }))
  })
  .filter((route, at, all) => all.findIndex(({ name }) => name === route.name) === at)
type Route = (typeof routes)[number]

let world: World
let stranger: TestOrganization
/** One id of each kind that the other organization owns. */
const own: Record<string, string> = {}

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  stranger = await world.organization()
  for (const [name, { arrange }] of Object.entries({ ...writes, ...reads })) {
    if ((/^DELETE|\/redeliver$/.test(name) || name in reads) && arrange)
      own[name] = await arrange(stranger)
  }
})
afterAll(() => world.close())

/** How to make the object that the path's ids name, and a body for the request. */
function about({ name, path }: Route) {
  const collection = `DELETE ${path.slice(0, path.indexOf(':id') + 3)}`
  const write =
    writes[name] ?? writes[`POST ${path}/redeliver`] ?? reads[name] ?? writes[collection]
  if (!write?.arrange) throw new Error(`nothing makes what ${name} is about`)
  return { arrange: write.arrange, body: writes[name]?.body }
}

const send = (
  client: Client,
  { name, method, path }: Route,
  { id, payload }: Aim,
): Promise<Reply> =>
  client.call({
    method,
    url: pathWith(path, id),
    headers: { ...writes[name]?.headers },
    ...(payload && { payload }),
  })

type Aim = { id: string; payload: object | string | undefined }

/** The answer without the parts that differ between any two requests. */
function essence({ statusCode, headers, body }: Reply, id: string) {
  const { date: _, 'x-request-id': requestId, ...rest } = headers
  const limits = Object.entries(rest).filter(([name]) => !/ratelimit/.test(name))
  const ids = id.split('/')
  const text = ids.reduce(
    (text, each) => text.replaceAll(each, '<id>'),
    body.replaceAll(String(requestId), '<request>'),
  )
  return { statusCode, headers: Object.fromEntries(limits), text }
}

/** A month, in a path beside the id of a client, belongs to no organization. */
const isMonth = (id: string) => /^\d{4}-\d\d$/.test(id)

/** Ids of the same kinds that do not exist. */
const nowhereLike = (ids: string): string =>
  ids.replaceAll(/[^/]+/g, (id) =>
    isMonth(id) ? id : `${id.slice(0, 4)}${newId(campaignIds).slice(4)}`,
  )

describe('another organization’s object gets the same 404 as a missing one', () => {
  test.each(routes)('$name', async (route) => {
    const { arrange, body } = about(route)
    const acme = await world.organization()
    const id = await arrange(acme)
    const payload = body?.(id, stranger)
    const nowhere = nowhereLike(id)
    const there = await send(stranger.owner, route, { id, payload })
    const gone = await send(stranger.owner, route, { id: nowhere, payload })
    expect(there.statusCode).toBe(404)
    expect(there.json().code).toBe('not_found')
    expect(essence(there, id)).toEqual(essence(gone, nowhere))
    const mine = await send(acme.owner, route, { id, payload })
    expect([mine.body, mine.statusCode]).toEqual([mine.body, expect.toSatisfy((it) => it < 300)])
  })
})

const malformed = (prefix: string) => [
  'x',
  prefix,
  `${prefix}_`,
  `${prefix}_01m7yez275fk1a52pr5qevn8k`,
  `${prefix}_01m7yez275fk1a52pr5qevn8knn`,
  `${prefix}_81m7yez275fk1a52pr5qevn8kn`,
  `${prefix}_01m7yez275fk1a52pr5qevn8ki`,
  `${prefix.toUpperCase()}_01m7yez275fk1a52pr5qevn8kn`,
  `${prefix}_01m7yez275fk1a52pr5qevn8kn%00`,
  `${prefix}_01m7yez275fk1a52pr5qevn8kn%20`,
  `${prefix}_01m7yez275fk1a52pr5qevn8kn%ED%A0%80`,
  `${prefix}-01m7yez275fk1a52pr5qevn8kn`,
  '01m7yez275fk1a52pr5qevn8kn',
  '%00',
  '%E0%A4%A',
  '..%2f..%2f',
  `'%20or%201=1--`,
  'x'.repeat(4000),
]

describe('a malformed id, and one of another kind, is a plain 404', () => {
  test.each(routes)('$name', async (route) => {
    const payload = about(route).body?.('', stranger)
    for (const id of spoilt(ownFor(route))) {
      const reply = await send(stranger.owner, route, { id, payload })
      expect([id, reply.statusCode]).toEqual([id, 404])
    }
  })
})

describe('a path that names nothing is reported before any other fault', () => {
  test.each(routes)('$name', async ({ method, path }) => {
    const viewer = await stranger.as('viewer')
    const send = (
      client: Client,
      more: Pick<InjectOptions, 'headers' | 'payload'> = {},
      search = '',
    ) => client.call({ ...more, method, url: `${pathWith(path, 'x/x')}${search}` })
    const replies = [
      await send(viewer),
      await send(stranger.owner, {}, '?bogus=1'),
      await send(stranger.owner, { headers: { 'if-match': '3' } }),
      await send(stranger.owner, jsonOf('{')),
      await send(stranger.owner, jsonOf('{"nme":1}')),
    ]
    for (const reply of replies) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, 'not_found'])
      expect(reply.headers).toHaveProperty('x-ratelimit-remaining')
    }
    const denied = await stranger.owner.get(`/audit_logs?outcome=denied&actor_id=${viewer.userId}`)
    expect(denied.json().data).toEqual([])
  })
})

const jsonOf = (payload: string) => ({
  payload,
  headers: { 'content-type': 'application/json' },
})

/** The other organization's ids for a path. */
function ownFor({ path }: Route): string {
  const [named = ''] = /^.*\/:\w+/.exec(path) ?? []
  const [, ids = ''] = Object.entries(own).find(([name]) => name.includes(` ${named}`)) ?? []
  return ids
}

const prefixes = endpoints.flatMap(({ ids }) => ids.map(({ type }) => type.prefix))

/** Own ids, each in turn replaced by a missing one. */
const spoilt = (ids: string): string[] =>
  ids.split('/').flatMap((id, at, all) => {
    if (isMonth(id)) return []
    const prefix = id.slice(0, 3)
    expect(prefixes).toContain(prefix)
    const others = Object.values(own).flatMap((ids) => ids.split('/'))
    const foreign = others.filter((other) => !other.startsWith(prefix))
    return [...malformed(prefix), ...foreign].map((bad) => all.with(at, bad).join('/'))
  })

test('in a body, another organization’s object gets the same 422 as a missing one', async () => {
  const acme = await world.organization()
  const profile = await profileOf(acme)
  const ownProfile = await profileOf(stranger)
  const proxy = await made(acme.owner, '/proxies', { protocol: 'http', host: 'a.test', port: 8080 })
  const template = await made(acme.owner, '/templates', { name: 'Theirs' })
  const bodies: [string, string, (id: string) => object][] = [
    ['/campaigns', profile, (id) => campaignBody(id)],
    ['/campaigns', template, (id) => ({ ...campaignBody(ownProfile), template_id: id })],
    ['/profiles', proxy, (id) => ({ name: 'A', proxy_id: id })],
    ['/templates', profile, (id) => ({ name: 'A', defaults: { profile_id: id } })],
  ]
  for (const [path, id, bodyWith] of bodies) {
    const nowhere = nowhereLike(id)
    const there = await stranger.owner.post(path, bodyWith(id))
    const gone = await stranger.owner.post(path, bodyWith(nowhere))
    expect(there.json().errors).toMatchObject([{ code: 'invalid_reference' }])
    expect(essence(there, id)).toEqual(essence(gone, nowhere))
  }
})
