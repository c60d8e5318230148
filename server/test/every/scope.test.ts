import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignIds } from '../../src/features/campaigns/resource.ts'
import { methodsOf } from '../../src/http/endpoint.ts'
import { may, type Role } from '../../src/identity/permissions.ts'
import { newId } from '../../src/values/ids.ts'
import { pathWith, reads, writes } from '../support/cases/write-cases.ts'
import { campaignAfter } from '../support/cases/writes.ts'
import { endpoints, watch } from '../support/documented.ts'
import { type Portfolio, portfolio, scopedMember } from '../support/scoped.ts'
import {
  type Client,
  openWorld,
  type Reply,
  type TestOrganization,
  unlimited,
  type World,
} from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const scopesOf = ({ client_id, profile_id }: Portfolio, name: string) => ({
  client: { client_ids: [client_id] },
  profile: { profile_ids: [profile_id] },
  label: { labels: [name] },
  all: { client_ids: [client_id], profile_ids: [profile_id], labels: [name] },
})

const roles = ['editor', 'viewer', 'auditor'] as const

const routes = endpoints
  // Templates are seen by all; connectors alone use their own leases.
  .filter(({ path }) => path.includes('/:id') && !/^\/(connector|templates)\//.test(path))
  .flatMap((endpoint) =>
    methodsOf(endpoint).map((method) => {
      const { path, permission } = endpoint
      return { name: `${method} ${path}`, method, path, permission }
    }),
  )
type Route = (typeof routes)[number]

/** The newest event, which is about a campaign of others. */
async function eventOf(organization: TestOrganization): Promise<string> {
  await campaignAfter(organization)
  return (await organization.owner.get('/events?limit=1')).json().data[0].id
}

function about({ name, path }: Route) {
  if (name.endsWith(' /events/:id')) return { arrange: eventOf, body: undefined }
  const collection = `DELETE ${path.slice(0, path.indexOf(':id') + 3)}`
  const write =
    writes[name] ?? writes[`POST ${path}/redeliver`] ?? reads[name] ?? writes[collection]
  if (!write?.arrange) throw new Error(`nothing makes what ${name} is about`)
  return { arrange: write.arrange, body: writes[name]?.body }
}

type Aim = { id: string; payload: object | string | undefined }

const send = (client: Client, { name, method, path }: Route, { id, payload }: Aim) =>
  client.call({
    method,
    url: pathWith(path, id),
    headers: { ...writes[name]?.headers },
    ...(payload && { payload }),
  })

/** The answer without the parts that differ between any two requests. */
function essence({ statusCode, headers, body }: Reply, id: string) {
  const { date: _, 'x-request-id': requestId, ...rest } = headers
  const kept = Object.entries(rest).filter(([name]) => !/ratelimit/.test(name))
  const text = id
    .split('/')
    .reduce(
      (text, each) => text.replaceAll(each, '<id>'),
      body.replaceAll(String(requestId), '<request>'),
    )
  return { statusCode, headers: Object.fromEntries(kept), text }
}

const nowhereLike = (ids: string): string =>
  ids.replaceAll(/[a-z]{3}_\w{26}/g, (id) => `${id.slice(0, 4)}${newId(campaignIds).slice(4)}`)

const holderOf = (role: Role) => ({ actor: { type: 'user' }, role, makerRole: null })

describe('an object out of scope gets the same answer as a missing one', () => {
  test.each(routes)('$name', async (route) => {
    const { arrange, body } = about(route)
    const organization = await world.organization()
    const scopes = Object.values(scopesOf(await portfolio(world, organization, 'in'), 'in'))
    const id = await arrange(organization)
    const payload = body?.(id, organization)
    const nowhere = nowhereLike(id)
    for (const role of roles) {
      for (const scope of role === 'editor' ? scopes : scopes.slice(0, 1)) {
        const member = await scopedMember(organization, role, scope)
        const there = await send(member, route, { id, payload })
        const gone = await send(member, route, { id: nowhere, payload })
        expect(essence(there, id)).toEqual(essence(gone, nowhere))
        const allowed = !route.permission || may(holderOf(role), route.permission)
        expect([role, there.body, there.statusCode]).toEqual([
          role,
          there.body,
          allowed ? 404 : 403,
        ])
      }
    }
    const mine = await send(organization.owner, route, { id, payload })
    expect([mine.body, mine.statusCode]).toEqual([mine.body, expect.toSatisfy((it) => it < 300)])
  })
})

const groupings = [
  'campaign',
  'profile',
  'client',
  'platform',
  'label',
  'currency',
  'day',
  'source',
]

/** Every reading operation, with the parameters that sum, filter, sort or search. */
function readingsOf({ client_id, profile_id, campaign_id, change_set_id }: Portfolio): string[] {
  const ids = { campaigns: campaign_id, profiles: profile_id, clients: client_id }
  const own = Object.entries(ids).flatMap(([plural, id]) => [
    `/${plural}/${id}`,
    `/${plural}/${id}/history`,
    `/${plural}?id=${id}`,
  ])
  const lists = endpoints
    .filter(({ method, path, query, live }) => {
      const isList = method === 'GET' && !path.includes(':') && !live
      return isList && !/^\/(reference|event_types|audit_logs\/verify|auth)/.test(path) && query
    })
    .flatMap(({ path, query = {} }) => {
      const total = 'include_total' in query ? '?include_total=true&limit=100' : ''
      return [`${path}${total}`, ...('sort' in query ? [`${path}?sort=created_at`] : [])]
    })
  const period = 'from=2020-01-01&to=2030-01-01'
  return [
    ...own,
    ...lists,
    ...['', '/schedule', '/deployment', '/results', '/pacing'].map(
      (part) => `/campaigns/${campaign_id}${part}`,
    ),
    `/profiles/${profile_id}/connection`,
    `/change_sets/${change_set_id}`,
    `/change_sets/${change_set_id}/operations`,
    ...groupings.map((by) => `/results?period=last_30_days&group_by=${by}&include_total=true`),
    ...groupings.map((by) => `/results?period=last_30_days&group_by=${by},day&label=all`),
    `/results?period=last_30_days&compare=previous_period&source=google_ads`,
    ...['csv', 'ndjson'].map((format) => `/results/export?format=${format}&${period}`),
    ...['campaigns', 'clients', 'audit_logs'].map((name) => `/${name}/export?format=csv`),
    ...['label=all', 'q=campaign', 'status=active', 'currency=USD', 'include_archived=true'].map(
      (filter) => `/campaigns?${filter}&include_total=true`,
    ),
    ...['out', 'out-1'].flatMap((text) => [
      `/campaigns?q=${text}&include_total=true`,
      `/campaigns?client=${text}&include_total=true`,
      `/campaigns?external_id=${text}&include_total=true`,
      `/campaigns?label=${text}&include_total=true`,
      `/clients?q=${text}&include_total=true`,
      `/profiles?client=${text}&include_total=true`,
      `/results?period=last_30_days&group_by=client&client=${text}`,
      `/pacing?client=${text}&include_total=true`,
      `/deployments?q=${text}`,
    ]),
    '/campaigns?fields=id&sort=-money_at_risk',
    '/limits',
    '/auth/me',
    '/auth/sessions',
  ]
}

const changing = /^(date|x-request-id|x-ratelimit.*|ratelimit.*|etag)$/

/** Answers as bytes, without what any request changes. */
type Answers = Record<string, unknown>

async function answers(client: Client, paths: readonly string[]): Promise<Answers> {
  const found: Answers = {}
  for (const path of paths) {
    const { statusCode, headers, body } = await client.get(path)
    expect([path, body, statusCode]).toEqual([path, body, expect.toSatisfy((it) => it < 500)])
    const kept = Object.entries(headers).filter(([name]) => !changing.test(name))
    const text = body
      .replaceAll(String(headers['x-request-id']), '<request>')
      // The export records itself; the rate limit counts these very requests.
      .replaceAll(/"(remaining|reset_seconds)":\d+/g, '')
      .replaceAll(/next_cursor":"[^"]+"/g, 'next_cursor')
    const shown = /audit_logs.*export/.test(path)
      ? text
      : [statusCode, Object.fromEntries(kept), text]
    found[path] = shown
  }
  return found
}

describe('whatever happens out of scope changes no answer within', () => {
  test.each(
    Object.keys(scopesOf({} as Portfolio, '')) as ('client' | 'profile' | 'label' | 'all')[],
  )('by %s', async (kind) => {
    const organization = await world.organization()
    const inside = await portfolio(world, organization, 'in')
    const scope = scopesOf(inside, 'in')[kind]
    const by = kind === 'client' ? roles : (['editor'] as const)
    const members = await Promise.all(by.map((role) => scopedMember(organization, role, scope)))
    const paths = readingsOf(inside)
    const before: Answers[] = []
    for (const member of members) before.push(await answers(member, paths))
    const out = await busy(organization)
    for (const [at, member] of members.entries()) {
      const after = await answers(member, paths)
      for (const path of paths) {
        expect([by[at], path, after[path]]).toEqual([by[at], path, before[at]?.[path]])
      }
      for (const id of Object.values(out)) expect(JSON.stringify(after)).not.toContain(id)
    }
    const ofCampaigns = before[0]?.['/campaigns?label=all&include_total=true']
    expect(JSON.stringify(ofCampaigns)).toContain(inside.campaign_id)
  })
})

/** Acts of others: an account of another client, and one of each kind that no scope shows. */
async function busy(organization: TestOrganization): Promise<Portfolio> {
  const { owner } = organization
  const out = await portfolio(world, organization, 'out')
  await owner.post('/proxies', { protocol: 'http', host: 'out.test', port: 8080 })
  await owner.post('/webhook_endpoints', { url: 'https://example.com/out', events: ['*'] })
  await owner.post('/api_keys', { name: 'out', role: 'viewer' })
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 900 } })
  await organization.as('viewer')
  await owner.patch(`/campaigns/${out.campaign_id}`, { daily_budget: 40 })
  await owner.patch(`/clients/${out.client_id}`, { notes: 'out of it' })
  const draft = { name: 'out draft', profile_id: out.profile_id, daily_budget: 5, currency: 'USD' }
  const operations = [{ op: 'create', body: { ...draft, objective: 'sales' } }]
  await owner.post('/change_sets', { title: 'out creation', operations })
  await owner.post(`/change_sets/${out.change_set_id}/apply`)
  return out
}
