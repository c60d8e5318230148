import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignAfter, campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { watch } from '../support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { pruneBefore } from '../support/prune-before.ts'
import { type Client, faultsOf, type TestOrganization, unlimited } from '../support/world.ts'

// Pruning is for all organizations: it gets a database of its own.
let world: OwnWorld

beforeAll(async () => {
  world = watch(await openOwnWorld({ env: unlimited }))
})
afterAll(() => world.close())

type Entry = {
  version: number
  at: string
  actor: { type: string; id: string | null; name: string | null }
  action: string
  changes: { field: string; before: unknown; after: unknown }[]
}

/** Gives every change its own instant. */
const later = () => world.clock.advance(1_000)

const historyOf = async (client: Client, path: string, query = ''): Promise<Entry[]> =>
  (await client.get(`${path}/history${query}`)).json().data

const versionsOf = (entries: Entry[]) =>
  entries.map(({ version, action }) => `${version} ${action}`)

const patch = async (client: Client, path: string, body: object) => {
  later()
  const reply = await client.patch(path, body)
  if (reply.statusCode !== 200) throw new Error(reply.body)
  return reply.json()
}

/** Each resource with a way to make one, and values for its name and notes (or similar). */
const resources = {
  campaigns: {
    event: 'campaign',
    make: (organization: TestOrganization) => campaignAfter(organization),
    changes: [{ name: 'B', labels: ['x'] }, { notes: 'n', metadata: { a: 'b' } }, { name: 'C' }],
  },
  profiles: {
    event: 'profile',
    make: (organization: TestOrganization) => profileOf(organization),
    changes: [{ name: 'B', labels: ['x'] }, { country: 'DE', status: 'paused' }, { name: 'C' }],
  },
  clients: {
    event: 'client',
    make: ({ owner }: TestOrganization) => made(owner, '/clients', { name: 'A' }),
    changes: [
      { name: 'B', labels: ['x'] },
      { currency: 'EUR', metadata: { b: 'c', a: 'b' } },
      { name: 'C' },
    ],
  },
  templates: {
    event: 'template',
    make: ({ owner }: TestOrganization) =>
      made(owner, '/templates', { name: 'A', defaults: { objective: 'sales', notes: 'n' } }),
    changes: [
      { name: 'B', locked_fields: ['objective'] },
      { defaults: { objective: 'sales', daily_budget: '19.99', metadata: { b: 'c', a: 'b' } } },
      { name: 'C' },
    ],
  },
}
const each = Object.entries(resources).map(([plural, more]) => ({ plural, ...more }))
type Resource = (typeof each)[number]

async function changedThrice({ plural, make, changes }: Resource) {
  const organization = await world.organization()
  const { owner } = organization
  const path = `/${plural}/${await make(organization)}`
  const shown = [(await owner.get(path)).json()]
  for (const body of changes) shown.push(await patch(owner, path, body))
  return { organization, owner, path, shown }
}

describe.each(each)('$plural', (resource) => {
  const { event, plural } = resource

  test('have a version for each change, newest first, with who, when and what', async () => {
    const { owner, path, shown } = await changedThrice(resource)
    const entries = await historyOf(owner, path)
    expect(versionsOf(entries)).toEqual([
      `4 ${event}.updated`,
      `3 ${event}.updated`,
      `2 ${event}.updated`,
      `1 ${event}.created`,
    ])
    expect(entries[0]).toEqual({
      version: 4,
      at: shown[3].updated_at,
      actor: { type: 'user', id: owner.userId, name: 'Olga Owner' },
      action: `${event}.updated`,
      reason: null,
      changes: [{ field: 'name', before: 'B', after: 'C' }],
    })
    const [, , second, first] = entries
    expect(second?.changes.find(({ field }) => field === 'name')).toEqual({
      field: 'name',
      before: shown[0].name,
      after: 'B',
    })
    expect(first?.changes.every(({ before }) => before === null)).toBe(true)
  })

  test('are shown as of any time', async () => {
    const { owner, path, shown } = await changedThrice(resource)
    for (const [at, then] of shown.entries()) {
      const until = shown[at + 1]?.updated_at ?? world.clock.now().toISOString()
      const justBefore = new Date(Date.parse(until) - 1).toISOString()
      for (const time of [then.updated_at, justBefore > then.updated_at && justBefore]) {
        if (time === false) continue
        const reply = await owner.get(`${path}?as_of=${time}`)
        expect([time, reply.json()]).toEqual([time, then])
        expect(reply.headers.etag).toBe(`"${then.version}"`)
      }
    }
  })

  test('are shown as of now or a future time, with any offset', async () => {
    const { owner, path, shown } = await changedThrice(resource)
    later()
    const present = (await owner.get(path)).json()
    expect(present).toEqual(shown.at(-1))
    const times = [
      world.clock.now().toISOString(),
      '2999-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      `${world.clock.now().toISOString().slice(0, -1)}+00:00`,
    ]
    for (const time of times) {
      expect([time, (await owner.get(`${path}?as_of=${time}`)).json()]).toEqual([time, present])
    }
  })

  test('did not exist before their creation', async () => {
    const { owner, path, shown } = await changedThrice(resource)
    const justBefore = new Date(Date.parse(shown[0].created_at) - 1).toISOString()
    for (const time of [justBefore, '0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z']) {
      const reply = await owner.get(`${path}?as_of=${time}`)
      expect([time, reply.statusCode, reply.json().code]).toEqual([time, 404, 'not_found'])
      expect(reply.json().detail).toBe(`It was created after that time, at ${shown[0].created_at}.`)
    }
  })

  test('refuse an invalid time', async () => {
    const { owner, path } = await changedThrice(resource)
    for (const text of [
      '',
      'yesterday',
      '2026-01-01',
      '1700000000',
      '2026-13-01T00:00:00Z',
      '9999-12-31T23:59:59-23:59',
    ]) {
      const reply = await owner.get(`${path}?as_of=${text}`)
      expect([text, reply.statusCode, reply.json().code]).toEqual([text, 400, 'invalid_parameter'])
      expect(reply.json().errors).toMatchObject([{ parameter: 'as_of', code: 'invalid_format' }])
    }
  })

  test('are reverted to any version by one change, which history then shows', async () => {
    const { owner, path, shown } = await changedThrice(resource)
    later()
    const reply = await owner.post(`${path}/revert`, { to_version: 2 })
    expect([reply.statusCode, reply.headers.etag]).toEqual([200, '"5"'])
    expect(reply.json()).toEqual((await owner.get(path)).json())
    const { version, updated_at, status, ...fields } = reply.json()
    const { version: _, updated_at: __, status: ___, ...wanted } = shown[1]
    expect(fields).toEqual(wanted)
    expect([version, status]).toEqual([5, shown[3].status])
    expect(updated_at).toBe(world.clock.now().toISOString())
    expect(versionsOf(await historyOf(owner, path))[0]).toBe(`5 ${event}.updated`)
    const { data } = (await owner.get('/events?limit=1')).json()
    expect(data).toMatchObject([{ type: `${event}.updated`, data: { object: { version: 5 } } }])
    expect((await owner.post(`${path}/revert`, { to_version: 4 })).json()).toMatchObject({
      name: 'C',
      version: 6,
    })
  })

  test('do not change when there is nothing to revert', async () => {
    const { owner, path, shown } = await changedThrice(resource)
    const back = await patch(owner, path, { name: 'B' })
    const sent = [back.version, 3]
    for (const to_version of sent) {
      const reply = await owner.post(`${path}/revert`, { to_version })
      expect([reply.statusCode, reply.json()]).toEqual([200, { ...shown[3], ...back }])
    }
    expect(await historyOf(owner, path)).toHaveLength(5)
  })

  test('have no future version', async () => {
    const { owner, path } = await changedThrice(resource)
    for (const to_version of [5, 999_999_999_999_999]) {
      const reply = await owner.post(`${path}/revert`, { to_version })
      expect(reply.statusCode).toBe(422)
      expect(reply.json().errors).toEqual([
        {
          pointer: '/to_version',
          code: 'out_of_range',
          message: 'must be between 1 and 4',
          limit: 4,
          given: to_version,
        },
      ])
    }
    for (const to_version of [0, -1]) {
      const reply = await owner.post(`${path}/revert`, { to_version })
      expect(faultsOf(reply)).toEqual(['/to_version out_of_range'])
    }
    for (const to_version of [1.5, '1', null]) {
      const reply = await owner.post(`${path}/revert`, { to_version })
      expect(faultsOf(reply)).toEqual(['/to_version invalid_type'])
    }
    expect(faultsOf(await owner.post(`${path}/revert`, {}))).toEqual(['/to_version required'])
  })

  test('are reverted from the version that the client names, once for each key', async () => {
    const { owner, path } = await changedThrice(resource)
    const stale = await owner.post(`${path}/revert`, { to_version: 99 }, { 'if-match': '"3"' })
    expect([stale.statusCode, stale.json().current_version]).toEqual([412, 4])
    const headers = { 'if-match': '"4"', 'idempotency-key': 'once' }
    const first = await owner.post(`${path}/revert`, { to_version: 1 }, headers)
    const again = await owner.post(`${path}/revert`, { to_version: 1 }, headers)
    expect([first.statusCode, again.statusCode]).toEqual([200, 200])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.json()).toEqual(first.json())
    expect((await owner.get(path)).json().version).toBe(5)
    const other = await owner.post(`${path}/revert`, { to_version: 2 }, headers)
    expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_key_reused'])
    const unchanged = await owner.post(
      `${path}/revert`,
      { to_version: 5 },
      { 'idempotency-key': 'k' },
    )
    const replayed = await owner.post(
      `${path}/revert`,
      { to_version: 5 },
      { 'idempotency-key': 'k' },
    )
    expect([unchanged.json(), replayed.json()]).toEqual([first.json(), first.json()])
  })

  test('are reverted under If-Match where the organization requires it', async () => {
    const { owner, path } = await changedThrice(resource)
    await owner.patch('/organization', { require_if_match: true })
    const reply = await owner.post(`${path}/revert`, { to_version: 1 })
    expect([reply.statusCode, reply.json().code]).toEqual([428, 'precondition_required'])
    const matched = await owner.post(`${path}/revert`, { to_version: 1 }, { 'if-match': '"4"' })
    expect(matched.statusCode).toBe(200)
  })

  test('show their history to all who may read them, without the details of requests', async () => {
    const { organization, path } = await changedThrice(resource)
    for (const role of ['editor', 'viewer', 'auditor'] as const) {
      const client = await organization.as(role)
      const entries = await historyOf(client, path)
      const members = ['version', 'at', 'actor', 'action', 'reason', 'changes']
      expect(Object.keys(entries[0] ?? {})).toEqual(members)
      expect((await client.get(`${path}?as_of=${entries.at(-1)?.at}`)).json().version).toBe(1)
      const mayWrite = role === 'editor' && plural !== 'profiles' && plural !== 'clients'
      const reply = await client.post(`${path}/revert`, { to_version: 1 })
      expect([role, reply.statusCode]).toEqual([role, mayWrite ? 200 : 403])
    }
  })

  test('have a history within their organization only, and none once they are deleted', async () => {
    const { owner, path, shown } = await changedThrice(resource)
    const stranger = (await world.organization()).owner
    const { next_cursor } = (await owner.get(`${path}/history?limit=1`)).json().meta
    const unseen = [
      () => stranger.get(`${path}/history`),
      () => stranger.get(`${path}?as_of=${shown[0].created_at}`),
      () => stranger.get(`${path}?as_of=1970-01-01T00:00:00Z`),
      () => stranger.post(`${path}/revert`, { to_version: 1 }),
    ]
    for (const send of unseen) {
      const { statusCode, body } = await send()
      expect([statusCode, JSON.parse(body).detail]).toEqual([
        404,
        'Nothing exists at this address.',
      ])
    }
    const foreign = await stranger.get(`${path}/history?cursor=${next_cursor}`)
    expect([foreign.statusCode, foreign.json().code]).toEqual([400, 'invalid_cursor'])
    await owner.delete(path)
    for (const query of ['', `?cursor=${next_cursor}`]) {
      expect((await owner.get(`${path}/history${query}`)).statusCode).toBe(404)
    }
    expect((await owner.get(`${path}?as_of=${shown[0].created_at}`)).statusCode).toBe(404)
    expect((await owner.post(`${path}/revert`, { to_version: 1 })).statusCode).toBe(404)
  })

  test('have a history as long as records are kept', async () => {
    const { organization, owner, path, shown } = await changedThrice(resource)
    await prune(organization, shown[2].updated_at)
    expect(versionsOf(await historyOf(owner, path))).toEqual([
      `4 ${event}.updated`,
      `3 ${event}.updated`,
    ])
    expect((await owner.get(`${path}?as_of=${shown[2].updated_at}`)).json()).toEqual(shown[2])
    const forgotten = await owner.get(`${path}?as_of=${shown[1].updated_at}`)
    expect([forgotten.statusCode, forgotten.json().detail]).toEqual([
      404,
      `Its state at that time is no longer recorded; records begin at ${shown[2].updated_at}.`,
    ])
    const tooOld = await owner.post(`${path}/revert`, { to_version: 2 })
    expect(tooOld.json().errors).toMatchObject([
      {
        pointer: '/to_version',
        code: 'out_of_range',
        message: 'must be between 3 and 4',
        limit: 3,
      },
    ])
    expect((await owner.post(`${path}/revert`, { to_version: 3 })).json().name).toBe('B')
  })

  test('without any record left are shown since their last change', async () => {
    const { organization, owner, path, shown } = await changedThrice(resource)
    later()
    const changed = world.clock.now().toISOString()
    await owner.patch('/organization', { name: 'Other' })
    await prune(organization, changed)
    later()
    const { data, meta } = (await owner.get(`${path}/history?include_total=true`)).json()
    expect([data, meta]).toEqual([[], { next_cursor: null, has_more: false, total: 0 }])
    expect((await owner.get(`${path}?as_of=${shown[3].updated_at}`)).json()).toEqual(shown[3])
    const forgotten = await owner.get(`${path}?as_of=${shown[2].updated_at}`)
    expect(forgotten.json().detail).toContain(`begin at ${shown[3].updated_at}`)
    const reply = await owner.post(`${path}/revert`, { to_version: 3 })
    expect(reply.json().errors).toMatchObject([{ message: 'must be between 4 and 4', limit: 4 }])
    await patch(owner, path, { name: 'D' })
    expect(versionsOf(await historyOf(owner, path))).toEqual([`5 ${event}.updated`])
    expect((await owner.get(`${path}?as_of=${changed}`)).statusCode).toBe(404)
  })
})

const prune = (organization: TestOrganization, oldest: string): Promise<number> =>
  pruneBefore(world, organization, oldest)

describe('pages', () => {
  async function changedOften(times: number) {
    const organization = await world.organization()
    const path = `/campaigns/${await campaignAfter(organization)}`
    for (let at = 2; at <= times; at += 1) {
      await patch(organization.owner, path, { notes: `${at}` })
    }
    return { organization, owner: organization.owner, path }
  }

  test.each([1, 2, 3, 7, 100])('of %i hold each version once, in order', async (limit) => {
    const { owner, path } = await changedOften(7)
    const seen: number[] = []
    let url = `${path}/history?limit=${limit}&include_total=true`
    while (url !== '') {
      const { data, meta } = (await owner.get(url)).json()
      seen.push(...data.map(({ version }: Entry) => version))
      expect([data.length <= limit, meta.total]).toEqual([true, 7])
      expect(meta.next_cursor === null).toBe(!meta.has_more)
      const cursor = `cursor=${meta.next_cursor}&include_total=true`
      url = meta.has_more ? `${path}/history?limit=${limit}&${cursor}` : ''
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  test('keep their numbers while the object changes, and link to the next page', async () => {
    const { owner, path } = await changedOften(5)
    const first = await owner.get(`${path}/history?limit=2`)
    await patch(owner, path, { notes: 'meanwhile' })
    await patch(owner, path, { notes: 'and again' })
    const [, link = ''] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? []
    const second = (await owner.get(link)).json()
    expect(versionsOf([...first.json().data, ...second.data])).toEqual([
      '5 campaign.updated',
      '4 campaign.updated',
      '3 campaign.updated',
      '2 campaign.updated',
    ])
  })

  test('number versions alike, however many are made meanwhile', async () => {
    const { owner, path } = await changedOften(2)
    const seen: Entry[] = []
    const changes = Array.from({ length: 40 }, (_, at) => owner.patch(path, { notes: `n${at}` }))
    const looks = Array.from({ length: 40 }, async () => {
      seen.push(...(await historyOf(owner, path, '?limit=5')))
    })
    await Promise.all([...changes, ...looks])
    const final = await historyOf(owner, path, '?limit=100')
    expect(final).toHaveLength(42)
    for (const entry of seen) expect(entry).toEqual(final[42 - entry.version])
  })

  test('start at the first version, also in a long history', async () => {
    const { owner, path } = await changedOften(1)
    const first = (await owner.get(path)).json()
    for (let at = 1; at <= 410; at += 1) await patch(owner, path, { notes: `${at}` })
    expect((await owner.get(`${path}?as_of=${first.created_at}`)).json()).toEqual(first)
    const { json } = await owner.post(`${path}/revert`, { to_version: 202 })
    expect(json()).toMatchObject({ notes: '201', version: 412 })
    expect((await historyOf(owner, path)).at(0)?.version).toBe(412)
  })

  test('are requested by cursors of this history only', async () => {
    const { owner, path, organization } = await changedOften(3)
    const other = `/campaigns/${await campaignAfter(organization, ['launch', 'pause'])}`
    const cursorOf = async (url: string) => (await owner.get(url)).json().meta.next_cursor
    const own = await cursorOf(`${path}/history?limit=1`)
    const foreign = await cursorOf('/audit_logs?limit=1')
    const refused = [
      `${other}/history?cursor=${own}`,
      `/audit_logs?cursor=${own}`,
      `${path}/history?cursor=${foreign}`,
      `${path}/history?cursor=${await cursorOf(`${other}/history?limit=1`)}`,
      `${path}/history?cursor=${own.slice(0, -2)}`,
    ]
    for (const url of refused) {
      const reply = await owner.get(url)
      expect([url, reply.statusCode, reply.json().code]).toEqual([url, 400, 'invalid_cursor'])
    }
    for (const search of ['sort=sequence', 'object=x', 'place=1', 'limit=0']) {
      expect((await owner.get(`${path}/history?${search}`)).statusCode).toBe(400)
    }
  })
})

describe('a campaign', () => {
  test('has a version for each action, and its revert keeps the status', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const path = `/campaigns/${await campaignAfter(organization)}`
    const draft = (await owner.get(path)).json()
    await patch(owner, path, { daily_budget: 50, labels: ['x'], notes: 'n' })
    for (const action of ['launch', 'pause']) {
      later()
      await owner.post(`${path}/${action}`)
    }
    later()
    const reverted = (await owner.post(`${path}/revert`, { to_version: 1 })).json()
    const { version, status, launched_at, updated_at, delivery, available_actions } = reverted
    const own = { version, status, launched_at, updated_at, delivery, available_actions }
    const { status_change } = reverted
    expect(reverted).toEqual({ ...draft, ...own, status_change })
    expect(status_change).toMatchObject({ action: 'pause', by: { id: owner.userId } })
    expect([version, status]).toEqual([5, 'paused'])
    const entries = await historyOf(owner, path)
    expect(versionsOf(entries)).toEqual([
      '5 campaign.updated',
      '4 campaign.paused',
      '3 campaign.activated',
      '2 campaign.updated',
      '1 campaign.created',
    ])
    const [moved] = entries[1]?.changes ?? []
    expect(moved).toEqual({ field: 'status', before: 'active', after: 'paused' })
    expect(entries[0]?.changes.map(({ field }) => field)).toEqual([
      'daily_budget',
      'daily_budget_minor',
      'labels',
      'notes',
    ])
  })

  test('is not reverted where a field may not change any more', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const path = `/campaigns/${await campaignAfter(organization)}`
    await patch(owner, path, { objective: 'traffic', daily_budget: 50 })
    await patch(owner, path, { daily_budget: 60 })
    await owner.post(`${path}/launch`)
    const refused = await owner.post(`${path}/revert`, { to_version: 1 })
    expect([refused.statusCode, faultsOf(refused)]).toEqual([422, ['/objective immutable_field']])
    expect((await owner.post(`${path}/revert`, { to_version: 2 })).json().daily_budget).toBe(50)
    await owner.post(`${path}/complete`)
    const over = await owner.post(`${path}/revert`, { to_version: 3 })
    expect(faultsOf(over)).toEqual(['/daily_budget immutable_field'])
    expect((await historyOf(owner, path))[0]?.action).toBe('campaign.completed')
  })

  test('is reverted only to what an update could produce today', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const end_at = new Date(world.clock.now().getTime() + 60_000).toISOString()
    const profile_id = await profileOf(organization)
    const id = await made(owner, '/campaigns', {
      ...campaignBody(profile_id),
      end_at,
      external_id: 'e',
    })
    const other = await profileOf(organization)
    await patch(owner, `/campaigns/${id}`, { end_at: null, external_id: 'f', profile_id: other })
    await made(owner, '/campaigns', { ...campaignBody(other), external_id: 'e' })
    await patch(owner, `/profiles/${profile_id}`, { status: 'archived' })
    const revert = () => owner.post(`/campaigns/${id}/revert`, { to_version: 1 })
    expect(faultsOf(await revert())).toEqual(['/profile_id invalid_reference'])
    await patch(owner, `/profiles/${profile_id}`, { status: 'active' })
    expect((await revert()).json().code).toBe('external_id_taken')
    world.clock.advance(60_000)
    expect(faultsOf(await revert())).toEqual(['/end_at date_in_past'])
  })

  test('is reverted within the guardrails of today, and a blocked revert makes no version', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const path = `/campaigns/${await campaignAfter(organization, [], { daily_budget: 50 })}`
    await patch(owner, path, { daily_budget: 30 })
    await owner.put('/organization/guardrails', { max_daily_budget: { USD: 40 } })
    const refused = await owner.post(`${path}/revert`, { to_version: 1 })
    expect([refused.statusCode, refused.json().code]).toEqual([422, 'guardrail_violation'])
    expect(await historyOf(owner, path)).toHaveLength(2)
    const why = { 'x-override-reason': 'agreed' }
    const reverted = await owner.post(`${path}/revert`, { to_version: 1 }, why)
    expect(reverted.json()).toMatchObject({ daily_budget: 50, version: 3 })
    expect(await historyOf(owner, path)).toHaveLength(3)
  })

  test('has versions for changes by the service, but not for other events', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const profile = await profileOf(organization)
    const id = await made(owner, '/campaigns', campaignBody(profile))
    await owner.post(`/campaigns/${id}/launch`)
    const viewer = await organization.as('viewer')
    expect((await viewer.post(`/campaigns/${id}/pause`)).statusCode).toBe(403)
    const copy = (await owner.post(`/campaigns/${id}/duplicate`, {})).json()
    const template = (await owner.post(`/campaigns/${id}/save_as_template`, { name: 'T' })).json()
    await patch(owner, `/profiles/${profile}`, { status: 'paused' })
    const [newest, ...others] = await historyOf(owner, `/campaigns/${id}`)
    expect(newest).toMatchObject({
      version: 3,
      action: 'campaign.paused',
      actor: { type: 'system', id: null, name: 'Flightdeck' },
    })
    expect(versionsOf(others)).toEqual(['2 campaign.activated', '1 campaign.created'])
    expect(versionsOf(await historyOf(owner, `/campaigns/${copy.id}`))).toEqual([
      '1 campaign.created',
    ])
    expect(versionsOf(await historyOf(owner, `/templates/${template.id}`))).toEqual([
      '1 template.created',
    ])
  })
})

test('a profile is reverted except for its status, and not to a currency that is fixed by now', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const path = `/profiles/${await profileOf(organization, { currency: 'EUR', notes: 'first' })}`
  await patch(owner, path, { currency: 'USD', status: 'paused', notes: null })
  expect((await owner.post(`${path}/revert`, { to_version: 1 })).json()).toMatchObject({
    currency: 'EUR',
    notes: 'first',
    status: 'paused',
  })
  await patch(owner, path, { currency: 'USD', status: 'active' })
  const id = await made(owner, '/campaigns', campaignBody(path.slice('/profiles/'.length)))
  await owner.post(`/campaigns/${id}/launch`)
  const refused = await owner.post(`${path}/revert`, { to_version: 1 })
  expect(faultsOf(refused)).toEqual(['/currency immutable_field'])
})

test('a template is not reverted to defaults that are invalid today', async () => {
  const { owner } = await world.organization()
  const end_at = new Date(world.clock.now().getTime() + 60_000).toISOString()
  const path = `/templates/${await made(owner, '/templates', { name: 'T', defaults: { end_at } })}`
  await patch(owner, path, { defaults: {} })
  expect((await owner.post(`${path}/revert`, { to_version: 1 })).json().defaults).toEqual({
    end_at,
  })
  await patch(owner, path, { defaults: {} })
  world.clock.advance(60_000)
  const reply = await owner.post(`${path}/revert`, { to_version: 1 })
  expect(faultsOf(reply)).toEqual(['/defaults/end_at date_in_past'])
})
