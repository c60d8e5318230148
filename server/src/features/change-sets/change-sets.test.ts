import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everythingOf, expectWhole } from '../../../test/support/cases/bulk.ts'
import { proposed, proposing } from '../../../test/support/cases/change-sets.ts'
import { campaignAfter, campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import { faultsOf, openWorld, unlimited, type World } from '../../../test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const path = '/change_sets'

describe('proposing', () => {
  test('tries the operations together and stores what they would do', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization, ['launch'])
    const before = (await owner.get(`/campaigns/${id}`)).json()
    const reply = await proposing(owner, [
      { op: 'update', id, body: { daily_budget: 50 } },
      { op: 'update', id, body: { name: 'Summer Sale' }, version: 2 },
      { op: 'action', id, action: 'resume' },
    ])
    expect(reply.statusCode).toBe(201)
    expect(reply.headers.location).toBe(`/api/v1/change_sets/${reply.json().id}`)
    expect(reply.json()).toMatchObject({
      id: expect.stringMatching(/^chs_/),
      title: 'Weekend sale',
      description: null,
      source: { kind: 'api', reference: null },
      mode: 'atomic',
      status: 'open',
      summary: { create: 0, update: 2, action: 0, delete: 0, unchanged: 1, failed: 0 },
      spend_delta: [
        {
          currency: 'USD',
          currency_exponent: 2,
          daily_before_minor: 3351,
          daily_after_minor: 5000,
          lifetime_before_minor: 0,
          lifetime_after_minor: 0,
        },
      ],
      approval: { required: false, approver_roles: ['owner', 'admin'], reasons: [] },
      applicable: true,
      stale: [],
      created_by: owner.userId,
      approved_by: null,
      version: 1,
    })
    expect((await owner.get(`/campaigns/${id}`)).json()).toEqual(before)
    const { data } = (await owner.get(`${path}/${reply.json().id}/operations`)).json()
    expect(data).toMatchObject([
      {
        index: 0,
        resource: 'campaign',
        op: 'update',
        id,
        name: 'Spring Sale',
        version_seen: 2,
        problem: null,
        result: null,
        changes: expect.arrayContaining([{ field: 'daily_budget', before: 33.51, after: 50 }]),
      },
      { index: 1, changes: [{ field: 'name', before: 'Spring Sale', after: 'Summer Sale' }] },
      { index: 2, action: 'resume', effect: 'unchanged', changes: [] },
    ])
  })

  test('lets later operations refer to what earlier ones create', async () => {
    const { owner } = await world.organization()
    const { changeSet, operations } = await proposed(owner, [
      { op: 'create', resource: 'proxy', ref: 'exit', body: proxy },
      { op: 'create', resource: 'profile', ref: 'acme', body: { name: 'Acme', proxy_id: '@exit' } },
      { op: 'create', ref: 'sale', body: campaignBody('@acme') },
      { op: 'action', id: '@sale', action: 'launch' },
    ])
    expect(changeSet).toMatchObject({
      applicable: true,
      summary: { create: 3, action: 1, failed: 0 },
      spend_delta: [{ daily_before_minor: 0, daily_after_minor: 3351 }],
    })
    expect(operations.map(({ id, ref, target }) => [id, ref, target])).toEqual([
      [null, 'exit', null],
      [null, 'acme', null],
      [null, 'sale', null],
      [null, null, '@sale'],
    ])
    expect(operations[2]?.changes).toContainEqual({
      field: 'profile_id',
      before: null,
      after: '@acme',
    })
    expect((await owner.get('/profiles')).json().data).toEqual([])
  })

  test('applies a template whose defaults refer to what is created with it', async () => {
    const { owner } = await world.organization()
    const defaults = { profile_id: '@acme', objective: 'sales', daily_budget: 20 }
    const { changeSet } = await proposed(owner, [
      { op: 'create', resource: 'profile', ref: 'acme', body: { name: 'Acme', currency: 'USD' } },
      { op: 'create', resource: 'template', ref: 'base', body: { name: 'Base', defaults } },
      { op: 'create', body: { name: 'Sale', template_id: '@base' } },
    ])
    expect(changeSet).toMatchObject({ applicable: true, summary: { create: 3 } })
    expect((await owner.post(`/change_sets/${changeSet.id}/apply`)).json().status).toBe('applied')
    const [profile] = (await owner.get('/profiles')).json().data
    const [campaign] = (await owner.get('/campaigns')).json().data
    expect(campaign.profile_id).toBe(profile.id)
    const unknown = { defaults: { profile_id: '@nothing' }, name: 'Base' }
    const refused = await owner.post('/change_sets', {
      title: 'Refers to nothing',
      operations: [{ op: 'create', resource: 'template', body: unknown }],
    })
    expect(refused.json().errors[0].pointer).toBe('/operations/0/body/defaults/profile_id')
  })

  test('stores failures with their problem', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization)
    const { changeSet, operations } = await proposed(owner, [
      { op: 'update', id, body: { daily_budget: -1, nam: 'x' } },
      { op: 'action', id, action: 'pause' },
      { op: 'delete', id: 'cmp_x' },
      { op: 'update', id, version: 7, body: { name: 'X' } },
      { op: 'delete', id },
    ])
    expect(changeSet).toMatchObject({
      applicable: false,
      summary: { delete: 1, failed: 4, update: 0 },
    })
    expect(operations.map(({ problem }) => problem?.code ?? null)).toEqual([
      'validation_failed',
      'invalid_state_transition',
      'not_found',
      'version_mismatch',
      null,
    ])
    expect(operations[0]?.problem?.errors.map(({ pointer }) => pointer).sort()).toEqual([
      '/operations/0/body/daily_budget',
      '/operations/0/body/nam',
    ])
  })

  test('refuses operations that cannot be tried, all at once, and stores nothing', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const id = await campaignAfter(organization)
    const before = await everythingOf(world, organization)
    const reply = await proposing(owner, [
      { op: 'jump', id },
      { op: 'update', body: {} },
      { op: 'create', resource: 'tariff', body: {} },
      { op: 'action', resource: 'profile', id, action: 'pause' },
      { op: 'update', id: '@later', body: {} },
      { op: 'create', ref: 'later', resource: 'profile', body: { proxy_id: '@later' } },
      { op: 'create', ref: 'later', resource: 'profile', body: {} },
      { op: 'update', id: '@later', body: {} },
      { op: 'delete', id, verison: 3 },
    ])
    expect(reply.statusCode).toBe(422)
    expect(faultsOf(reply)).toEqual([
      '/operations/0/op invalid_enum_value',
      '/operations/1/id required',
      '/operations/2/resource invalid_enum_value',
      '/operations/3/resource invalid_enum_value',
      '/operations/8/verison unknown_field',
      '/operations/4/id invalid_reference',
      '/operations/5/body/proxy_id invalid_reference',
      '/operations/6/ref duplicate_item',
      '/operations/7/id invalid_reference',
    ])
    expect(await everythingOf(world, organization)).toEqual(before)
  })

  test('bounds its input', async () => {
    const { owner } = await world.organization()
    const one = { op: 'delete', id: 'cmp_x' }
    const many = await proposing(owner, Array(1001).fill(one))
    expect(faultsOf(many)).toEqual(['/operations too_many_items'])
    expect(faultsOf(await proposing(owner, []))).toEqual(['/operations too_short'])
    const odd = { title: ' ', source: { kind: 'bot' }, mode: 'all', expires_in_hours: 169 }
    expect(faultsOf(await owner.post(path, { ...odd, operations: [one] })).sort()).toEqual([
      '/expires_in_hours out_of_range',
      '/mode invalid_enum_value',
      '/source/kind invalid_enum_value',
      '/title too_short',
    ])
    const past = { title: 'X', apply_at: '2020-01-01T00:00:00Z', operations: [one] }
    expect(faultsOf(await owner.post(path, past))).toEqual(['/apply_at date_in_past'])
  })

  test('a dry run of it stores nothing', async () => {
    const organization = await world.organization()
    const id = await campaignAfter(organization)
    const before = await everythingOf(world, organization)
    const operations = [{ op: 'delete', id }]
    const reply = await organization.owner.post(`${path}?validate_only=true`, {
      title: 'X',
      operations,
    })
    expect([reply.statusCode, reply.json().summary.delete]).toEqual([200, 1])
    expect(await everythingOf(world, organization)).toEqual(before)
  })

  test('a thousand operations fit', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile = await profileOf(organization)
    const operations = Array.from({ length: 1000 }, (_, at) => ({
      op: 'create',
      body: { ...campaignBody(profile), external_id: `crm-${at % 999}` },
    }))
    const { changeSet } = await proposed(owner, operations)
    expect(changeSet.summary).toMatchObject({ create: 999, failed: 1 })
    await expectWhole(organization)
  })
})

const proxy = { protocol: 'http', host: 'proxy.example.com', port: 8080, password: 'hidden-away' }

describe('secrets', () => {
  test('of proxies are stored sealed and never shown', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const { changeSet } = await proposed(owner, [{ op: 'create', resource: 'proxy', body: proxy }])
    const operations = await owner.get(`${path}/${changeSet.id}/operations`)
    expect(operations.body).not.toContain('hidden-away')
    expect(operations.json().data[0].changes).toContainEqual({
      field: 'password',
      before: null,
      after: '[redacted]',
    })
    expect(JSON.stringify(await everythingOf(world, organization))).not.toContain('hidden-away')
    const auditor = await organization.as('auditor')
    const { data } = (await auditor.get(`${path}/${changeSet.id}/operations`)).json()
    expect(data).toMatchObject([{ changes: [], name: null, body: null }])
  })
})

describe('reading', () => {
  test('lists what has moved since the trial, and who moved it', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const [moved, gone, still] = [
      await campaignAfter(organization),
      await campaignAfter(organization),
      await campaignAfter(organization),
    ]
    const { changeSet } = await proposed(
      owner,
      [moved, gone, still].map((id) => ({ op: 'update', id, body: { notes: 'Raised' } })),
    )
    const editor = await organization.as('editor')
    await editor.patch(`/campaigns/${moved}`, { name: 'Other' })
    await editor.delete(`/campaigns/${gone}`)
    const facts = { resource: 'campaign', changed_by: editor.userId, version_seen: 1 }
    const stale = [
      { index: 0, id: moved, current_version: 2, ...facts },
      { index: 1, id: gone, current_version: null, ...facts },
    ]
    expect((await owner.get(`${path}/${changeSet.id}`)).json()).toMatchObject({ stale })
    expect((await owner.get(path)).json().data).toMatchObject([{ id: changeSet.id, stale }])
    const { data } = (await owner.get(`${path}/${changeSet.id}/operations`)).json()
    expect(data.map((each: { stale: unknown }) => each.stale)).toMatchObject([...stale, null])
  })

  test('lists by status, author and source', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const editor = await organization.as('editor')
    const operations = [{ op: 'delete', id: 'cmp_x' }]
    const console = { title: 'Console', source: { kind: 'console' }, operations }
    const first = await made(owner, path, console)
    const second = await made(editor, path, { title: 'API', operations })
    const found = async (query: string) =>
      (await owner.get(`${path}?${query}`)).json().data.map(({ id }: { id: string }) => id)
    expect(await found('')).toEqual([second, first])
    expect(await found('source=console')).toEqual([first])
    expect(await found(`created_by=${editor.userId}`)).toEqual([second])
    expect(await found('status=open,applied')).toEqual([second, first])
    expect(await found('status=applied')).toEqual([])
    expect(await found('q=consol')).toEqual([first])
  })

  test('pages through the operations in order', async () => {
    const { owner } = await world.organization()
    const operations = Array.from({ length: 130 }, () => ({ op: 'delete', id: 'cmp_x' }))
    const { changeSet } = await proposed(owner, operations)
    const first = (await owner.get(`${path}/${changeSet.id}/operations`)).json()
    const cursor = first.meta.next_cursor
    const rest = (await owner.get(`${path}/${changeSet.id}/operations?cursor=${cursor}`)).json()
    expect([first.data.length, rest.data.length, rest.meta.has_more]).toEqual([100, 30, false])
    const indexes = [...first.data, ...rest.data].map(({ index }) => index)
    expect(indexes).toEqual(operations.map((_, at) => at))
  })
})
