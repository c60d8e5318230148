import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

let world: World
let organization: TestOrganization
let owner: Client

/** When each third of the rows was made. */
const times: string[] = []
const ids: Record<string, string> = {}

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  organization = await world.organization()
  owner = organization.owner
  const made = [makeProxies, makeProfiles, makeTemplates, makeCampaigns, makeEndpoints]
  await inTurn([...made, makeClients])
  for (const profile of ['1 0', '1 2']) {
    const { client_id } = (await owner.get(`/profiles/${ids[profile]}`)).json()
    ids[`client of ${profile}`] = client_id
  }
})
afterAll(() => world.close())

/** The rows of each list are made an hour apart. */
async function inTurn(makers: (() => Promise<((at: number) => Promise<string>)[]>)[]) {
  const all = []
  for (const maker of makers) all.push(await maker())
  for (const at of [0, 1, 2]) {
    world.clock.advance(3_600_000)
    times.push(world.clock.now().toISOString())
    for (const [list, rows] of all.entries()) ids[`${list} ${at}`] = (await rows[at]?.(at)) ?? ''
  }
}

const makeProxies = async () => [
  () =>
    made(owner, '/proxies', {
      name: 'One_1',
      protocol: 'http',
      host: 'a.test',
      port: 8081,
      country: 'DE',
      labels: ['x', 'y'],
      external_id: 'e1',
    }),
  () =>
    made(owner, '/proxies', {
      name: 'Two%2',
      protocol: 'https',
      host: 'b.test',
      port: 8082,
      country: 'FR',
      labels: ['y'],
      external_id: 'e2',
    }),
  () =>
    made(owner, '/proxies', {
      name: 'Three',
      protocol: 'socks5',
      host: 'c.test',
      port: 8083,
      enabled: false,
      labels: ['x,z'],
    }),
]
const makeProfiles = async () => [
  () =>
    profileOf(organization, {
      name: 'One_1',
      platform: 'meta',
      proxy_id: ids['0 0'],
      labels: ['x', 'y'],
      external_id: 'e1',
      currency: null,
      client: 'Acme, Inc.',
    }),
  () =>
    profileOf(organization, {
      name: 'Two%2',
      platform: 'tiktok',
      status: 'paused',
      labels: ['y'],
      external_id: 'e2',
      currency: null,
    }),
  () =>
    profileOf(organization, {
      name: 'Three',
      platform: 'x',
      status: 'suspended',
      currency: null,
      labels: ['x,z'],
      client: 'Globex',
    }),
]
const makeClients = async () => [
  () =>
    made(owner, '/clients', {
      name: 'One_1',
      currency: 'USD',
      labels: ['x', 'y'],
      external_id: 'e1',
    }),
  () =>
    made(owner, '/clients', {
      name: 'Two%2',
      status: 'archived',
      labels: ['y'],
      external_id: 'e2',
    }),
  () => made(owner, '/clients', { name: 'Three', currency: 'EUR', labels: ['x,z'] }),
]
const makeTemplates = async () => [
  () => made(owner, '/templates', { name: 'One_1', labels: ['x', 'y'], external_id: 'e1' }),
  () => made(owner, '/templates', { name: 'Two%2', labels: ['y'], external_id: 'e2' }),
  () => made(owner, '/templates', { name: 'Three', labels: ['x,z'] }),
]
const campaign = (body: object, profile: string) =>
  made(owner, '/campaigns', { ...campaignBody(ids[profile] ?? ''), ...body })
const makeCampaigns = async () => [
  () => campaign({ name: 'One_1', template_id: ids['2 0'], labels: ['x', 'y'] }, '1 0'),
  async () => {
    const id = await campaign(
      {
        name: 'Two%2',
        objective: 'traffic',
        currency: 'EUR',
        daily_budget: 20.5,
        external_id: 'e2',
        labels: ['y'],
        end_at: '2031-01-01T00:00:00Z',
      },
      '1 1',
    )
    return (await owner.post(`/campaigns/${id}/archive`)).json().id
  },
  () =>
    campaign(
      {
        name: 'Three',
        objective: 'leads',
        currency: 'KWD',
        daily_budget: 20.505,
        external_id: 'e3',
        labels: ['x,z'],
        start_at: '2030-01-01T00:00:00Z',
        end_at: '2032-01-01T00:00:00Z',
      },
      '1 2',
    ),
]
const makeEndpoints = async () =>
  ['one_1', 'two%252', 'three'].map(
    (name) => () => made(owner, '/webhook_endpoints', { url: `https://example.com/${name}` }),
  )

const named = (name: string): Record<string, string> => ({
  'q=one': '1',
  'q=T': name === 'webhook_endpoints' ? '123' : '23',
  'q=_': '1',
  'q=%25': '2',
  'q=%5C': '',
  'q=E': '123',
})
const timed = {
  'created_after=T1': '23',
  'created_before=T1': '1',
  'created_after=T0&created_before=T2': '12',
  'updated_after=T2': '3',
  'updated_before=T0': '',
}
const identified = { 'external_id=e1': '1', 'external_id=e2,e3': '2', 'external_id=e3': '' }

const labelled = {
  'label=x': '1',
  'label=y': '12',
  'label=x,z': '1',
  'label=none': '',
  'label=x&label=z': '1',
  'label=x,z&label=x,z': '3',
  'label=y&label=x,z': '123',
}

/** Profiles have made a client each. */
const isOfProfile = (id: string) => id === ids['client of 1 0'] || id === ids['client of 1 2']

const order = ['proxies', 'profiles', 'templates', 'campaigns', 'webhook_endpoints', 'clients']

/** By the ids of this list's own rows. */
const chosen = (list: string) => {
  const at = order.indexOf(list)
  return {
    [`id=<${at} 0>`]: '1',
    [`id=<${at} 0>,<${at} 2>`]: '13',
    [`id=<${at} 2>&id=<${at} 0>`]: '13',
    [`id=<${at} 0>,nothing,<${(at + 1) % 5} 1>`]: '1',
    'id=': '',
  }
}

/** The rows, of three, that each filter keeps. */
const expectations: Record<string, Record<string, string>> = {
  proxies: {
    ...chosen('proxies'),
    ...named('proxies'),
    'q=NE': '1',
    'q=T': '23',
    ...timed,
    ...labelled,
    ...identified,
    'protocol=http': '1',
    'protocol=https,socks5': '23',
    'status=unchecked': '12',
    'status=disabled,failing': '3',
    'country=DE,FR': '12',
    'country=IT': '',
  },
  profiles: {
    ...chosen('profiles'),
    ...named('profiles'),
    'q=NE': '1',
    ...timed,
    ...labelled,
    ...identified,
    'platform=meta,x': '13',
    'status=active': '1',
    'status=paused,suspended': '23',
    'proxy_id=<0 0>': '1',
    'proxy_id=nothing': '',
    'connection_state=none,blocked': '123',
    'connection_state=connected,stale': '',
    'credential_expires_before=2100-01-01T00:00:00Z': '',
    'client=Globex': '3',
    'client=Acme, Inc.': '',
    'client=Acme, Inc.&client=ＧLOBEX': '13',
    'client_id=<client of 1 2>': '3',
    'client_id=<5 0>': '',
  },
  templates: {
    ...chosen('templates'),
    ...named('templates'),
    'q=NE': '1',
    ...timed,
    ...labelled,
    ...identified,
  },
  campaigns: {
    ...chosen('campaigns'),
    ...Object.fromEntries(
      Object.entries({
        ...named('campaigns'),
        'q=NE': '1',
        ...timed,
        ...labelled,
      }).map(([query, rows]) => [`${query}&include_archived=true`, rows]),
    ),
    'include_archived=false': '13',
    '': '13',
    'status=archived': '2',
    'status=draft,archived': '123',
    'status=draft': '13',
    'objective=sales': '1',
    'objective=traffic,leads': '3',
    'objective=SALES': '1',
    'objective=Lead_Generation,outcome_traffic': '3',
    'profile_id=<1 0>,<1 2>': '13',
    'template_id=<2 0>': '1',
    'currency=USD,EUR': '1',
    'currency=KWD': '3',
    'delivery=eligible': '',
    'delivery=not_eligible': '13',
    'delivery_reason=archived&include_archived=true': '2',
    'delivery_reason=archived,not_launched&include_archived=true': '123',
    'delivery_reason=not_launched&q=one': '1',
    'deployment_state=pending&include_archived=true': '',
    'status_reason=profile_not_active': '',
    // Campaigns that were not launched have no pacing.
    'pacing_status=no_data': '',
    // Nor results, by which they would be judged.
    'target_status=no_data,off_target': '',
    'metric.spend_min=1&currency=USD': '',
    'metric.spend_max=1&currency=USD': '',
    'metric.impressions_min=1&currency=USD': '',
    'metric.impressions_max=1&currency=USD': '',
    'metric.clicks_min=1&currency=USD': '',
    'metric.clicks_max=1&currency=USD': '',
    'metric.conversions_min=1&currency=USD': '',
    'metric.conversions_max=1&currency=USD': '',
    'metric.ctr_min=1&currency=USD': '',
    'metric.ctr_max=1&currency=USD': '',
    'metric.cpc_min=1&currency=USD': '',
    'metric.cpc_max=1&currency=USD': '',
    'metric.cpm_min=1&currency=USD': '',
    'metric.cpm_max=1&currency=USD': '',
    'metric.cpa_min=1&currency=USD': '',
    'metric.cpa_max=1&currency=USD': '',
    'metric.roas_min=1&currency=USD': '',
    'metric.roas_max=1&currency=USD': '',
    'metric.spend_min=1&currency=USD&metric_window=last_month': '',
    'client=Globex': '3',
    'client=Acme, Inc.&client=Globex&include_archived=true': '13',
    'client=none': '',
    'client_id=<client of 1 0>,<client of 1 2>': '13',
    'client_id=<5 0>': '',
    'daily_budget_min=33.51&currency=USD': '1',
    'daily_budget_min=33.52&currency=USD': '',
    'daily_budget_max=33.51&currency=USD': '1',
    'daily_budget_max=33.5&currency=USD': '',
    'daily_budget_min=20.5&daily_budget_max=20.51&currency=KWD': '3',
    'daily_budget_min=20.5&currency=EUR&include_archived=true': '2',
    'start_after=2030-01-01T00:00:00Z': '3',
    'start_before=2030-01-01T00:00:00Z': '',
    'start_before=2030-01-01T00:00:00.001Z': '3',
    'end_after=2031-01-01T00:00:00Z&include_archived=true': '23',
    'end_before=2032-01-01T00:00:00Z&include_archived=true': '2',
    'end_before=2032-01-01T00:00:00Z': '',
    'external_id=e3': '3',
    'external_id=e2': '',
    'external_id=e2,e3&include_archived=true': '23',
    'objective=sales&currency=KWD': '',
  },
  clients: {
    ...Object.fromEntries(
      Object.entries({
        ...chosen('clients'),
        ...named('clients'),
        ...timed,
        ...labelled,
        ...identified,
      }).map(([query, rows]) => [`${query}&include_archived=true`, rows]),
    ),
    'created_after=T0': '13',
    'status=archived': '2',
    'currency=USD': '1',
    'currency=USD,EUR': '13',
  },
  webhook_endpoints: {
    ...chosen('webhook_endpoints'),
    ...named('webhook_endpoints'),
    ...timed,
    'status=enabled': '123',
    'status=disabled': '',
    'q=example.com/t': '23',
  },
}

describe.each(order)('%s', (list) => {
  test.each(Object.entries(expectations[list] ?? {}))('%s keeps rows "%s"', async (query, rows) => {
    const search = query
      .replaceAll(/=T(\d)/g, (_, at) => `=${times[at]}`)
      .replaceAll(/<((?:client of )?\d \d)>/g, (_, key) => ids[key] ?? '')
    const reply = await owner.get(`/${list}?sort=created_at&${search}`.replace(/&$/, ''))
    expect([reply.body, reply.statusCode]).toEqual([reply.body, 200])
    const found = reply.json().data.map(({ id }: { id: string }) => id)
    const shown = found.filter((id: string) => !isOfProfile(id))
    const at = order.indexOf(list)
    expect(shown).toEqual([...rows].map((row) => ids[`${at} ${Number(row) - 1}`]))
  })

  test('has a case here for every filter', () => {
    const endpoint = endpoints.find(
      (it) => it.path === `/${list}` && [it.method].flat().includes('GET'),
    )
    const tried = Object.keys(expectations[list] ?? {}).flatMap((query) => [
      ...new URLSearchParams(query).keys(),
    ])
    const paging = ['cursor', 'limit', 'sort', 'include_total', 'include']
    const offered = Object.keys(endpoint?.query ?? {}).filter((name) => !paging.includes(name))
    expect([...new Set(tried)].sort()).toEqual(offered.sort())
  })
})

describe('every fault of a query is reported at once', () => {
  const expired = 'cursor=zz'
  test.each([
    ['limit=0&sort=foo', 'invalid_parameter', ['limit out_of_range', 'sort invalid_enum_value']],
    [
      'limit=0&created_after=x&status=zz&include_total=z',
      'invalid_parameter',
      [
        'limit out_of_range',
        'created_after invalid_format',
        'status invalid_enum_value',
        'include_total invalid_enum_value',
      ],
    ],
    [`${expired}&limit=0`, 'invalid_parameter', ['cursor invalid_format', 'limit out_of_range']],
    [`${expired}&limt=0`, 'unknown_parameter', ['limt unknown_parameter', 'cursor invalid_format']],
    [expired, 'invalid_cursor', ['cursor invalid_format']],
    ['limit=abc', 'invalid_parameter', ['limit invalid_type']],
    ['limit=%2B5', 'invalid_parameter', ['limit invalid_type']],
    ['limit=05', 'invalid_parameter', ['limit invalid_type']],
  ])('%s', async (search, code, faults) => {
    const reply = await owner.get(`/campaigns?${search}`)
    expect([reply.statusCode, reply.json().code]).toEqual([400, code])
    expect(faultsIn(reply)).toEqual(faults)
  })

  test('also in lists of a single object', async () => {
    const id = await profileOf(organization)
    const history = await owner.get(`/profiles/${id}/history?cursor=zz&limit=0`)
    expect(faultsIn(history)).toEqual(['cursor invalid_format', 'limit out_of_range'])
    const campaign = await made(owner, '/campaigns', campaignBody(id))
    const schedule = await owner.get(`/campaigns/${campaign}/schedule?from=x&to=y&z=1`)
    expect(faultsIn(schedule)).toEqual([
      'z unknown_parameter',
      'from invalid_format',
      'to invalid_format',
    ])
    const version = await owner.get(`/campaigns/${campaign}?as_of=x&bogus=1`)
    expect(faultsIn(version)).toEqual(['bogus unknown_parameter', 'as_of invalid_format'])
    const stream = await owner.get('/events/stream?type=nothing&bogus=1')
    expect(faultsIn(stream)).toEqual(['bogus unknown_parameter', 'type unknown_event'])
    const file = await owner.get('/audit_logs/export?format=pdf&outcome=x')
    expect(faultsIn(file)).toEqual(['format invalid_enum_value', 'outcome invalid_enum_value'])
  })
})

test.each([
  ['daily_budget_min=5', ['daily_budget_min required']],
  ['daily_budget_max=5&currency=USD,EUR', ['daily_budget_max required']],
  ['daily_budget_min=5&currency=USD&currency=EUR', ['daily_budget_min required']],
  ['daily_budget_min=5.001&currency=USD', ['daily_budget_min budget_precision']],
  ['daily_budget_min=5.00001&currency=Monopoly', ['currency unsupported_currency']],
  ['daily_budget_min=five&currency=USD', ['daily_budget_min invalid_format']],
  ['daily_budget_max=0&currency=USD', ['daily_budget_max out_of_range']],
  ['status_reason=tired', ['status_reason invalid_enum_value']],
  ['delivery=maybe', ['delivery invalid_enum_value']],
  ['delivery_reason=paused,currency_mismatch', ['delivery_reason invalid_enum_value']],
])('campaigns refuse %s', async (search, faults) => {
  const reply = await owner.get(`/campaigns?${search}`)
  expect([reply.statusCode, faultsIn(reply)]).toEqual([400, faults])
})

test('campaigns are found by the reason of their status', async () => {
  const other = await world.organization()
  const profile = await profileOf(other)
  const launched = await made(other.owner, '/campaigns', campaignBody(profile))
  await made(other.owner, '/campaigns', campaignBody(profile))
  await other.owner.post(`/campaigns/${launched}/launch`)
  await other.owner.patch(`/profiles/${profile}`, { status: 'paused' })
  const { data } = (await other.owner.get('/campaigns?status_reason=profile_not_active')).json()
  expect(data).toMatchObject([{ id: launched, status: 'paused' }])
})

const faultsIn = (reply: Reply) =>
  reply
    .json()
    .errors.map(
      ({ parameter, code }: { parameter: string; code: string }) => `${parameter} ${code}`,
    )

test('members are found by e-mail address, regardless of case', async () => {
  const viewer = await organization.as('viewer')
  const emailsOf = async (search: string) => {
    const reply = await owner.get(`/members?sort=created_at&${search}`)
    return reply.json().data.map(({ email }: { email: string }) => email)
  }
  expect(await emailsOf(`email=${viewer.email.toUpperCase()}`)).toEqual([viewer.email])
  const both = [owner.email, viewer.email]
  expect(await emailsOf(`email=${both}`)).toEqual(both)
  expect(await emailsOf(`email=${viewer.email}&email=${owner.email}`)).toEqual(both)
  expect(await emailsOf('email=example.com')).toEqual([])
})

test('events and audit records are found by id', async () => {
  for (const list of ['events', 'audit_logs']) {
    const { data } = (await owner.get(`/${list}?limit=3`)).json()
    const [first, , third] = data.map(({ id }: { id: string }) => id)
    const found = (await owner.get(`/${list}?id=${third},${first}`)).json()
    expect(found.data).toEqual([data[0], data[2]])
  }
})

test('an export records the values of a filter that was sent several times', async () => {
  const search = 'action=template.created&action=a,b'
  const file = (await owner.get(`/audit_logs/export?${search}`)).body.trimEnd().split('\n')
  const [
    {
      data: [record],
    },
  ] = [(await owner.get('/audit_logs?limit=1')).json()]
  expect(record).toMatchObject({
    action: 'audit_log.exported',
    changes: [
      { field: 'format', after: 'ndjson' },
      { field: 'action', after: ['template.created', 'a,b'] },
    ],
  })
  expect(file.length).toBe(3)
})

test('in audit logs * matches every action', async () => {
  const all = (await owner.get('/audit_logs?include_total=true')).json().meta.total
  const { meta } = (await owner.get('/audit_logs?include_total=true&action=*')).json()
  expect(meta.total).toBe(all)
})
