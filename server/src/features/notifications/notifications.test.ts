import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeKey } from '../../../test/support/api-keys.ts'
import { proposed } from '../../../test/support/cases/change-sets.ts'
import { notifyNow } from '../../../test/support/cases/people/notification-cases.ts'
import { campaignAfter } from '../../../test/support/cases/writes.ts'
import { watch } from '../../../test/support/documented.ts'
import { portfolio, scopedMember } from '../../../test/support/scoped.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../../../test/support/world.ts'
import { eventIds } from '../../values/core-ids.ts'
import { newIdAt } from '../../values/ids.ts'

let world: World

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const hourMs = 60 * 60 * 1_000

const inboxOf = async (client: Client, query = '') =>
  (await client.get(`/notifications${query}`)).json()
const titlesOf = async (client: Client): Promise<string[]> =>
  (await inboxOf(client)).data.map(({ title }: { title: string }) => title)

/** Forgets what the making of members and campaigns has notified. */
async function cleared(organization: TestOrganization): Promise<void> {
  await notifyNow(organization)
  const sql = 'delete from notifications where organization_id = $1'
  await organization.ctx.services.database.transaction(async (tx) =>
    tx.send({ sql, parameters: [organization.id] }),
  )
}

const newKey = (client: Client, name = 'Nightly export') =>
  client.post('/api_keys', { name, role: 'viewer' })

async function raised(organization: TestOrganization, by: Client, title = 'Weekend sale') {
  const id = await campaignAfter(organization, ['launch'])
  const rules = { change_sets: { approval: 'always' } }
  await organization.owner.put('/organization/guardrails', rules)
  return proposed(by, [{ op: 'update', id, body: { daily_budget: 100 } }], { title })
}

const approve = (client: Client, { id, version }: { id: string; version: number }) =>
  client.post(`/change_sets/${id}/approve`, { version })

describe('an inbox', () => {
  test('has what others did, in words, and not what one did oneself', async () => {
    const organization = await world.organization()
    const admin = await organization.as('admin')
    await cleared(organization)
    const { id } = (await newKey(admin)).json()
    await notifyNow(organization)
    const { data, meta } = await inboxOf(organization.owner)
    expect(data).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^ntf_/),
        category: 'security',
        type: 'api_key.created',
        title: 'API key “Nightly export” was created',
        object: { type: 'api_key', id, name: 'Nightly export' },
        actor: { type: 'user', id: admin.userId, name: expect.any(String) },
        path: `/api-keys/${id}`,
        count: 1,
        read_at: null,
      }),
    ])
    expect(meta).toMatchObject({ unread: 1, has_more: false })
    expect(await titlesOf(admin)).toEqual([])
  })

  test('is searched by words of what happened', async () => {
    const organization = await world.organization()
    const admin = await organization.as('admin')
    await cleared(organization)
    for (const name of ['Nightly export', 'Über Nacht']) await newKey(admin, name)
    await notifyNow(organization)
    const found = async (q: string) =>
      (await inboxOf(organization.owner, `?q=${encodeURIComponent(q)}`)).data.map(
        ({ object }: { object: { name: string } }) => object.name,
      )
    expect(await found('export api')).toEqual(['Nightly export'])
    expect(await found('uber')).toEqual(['Über Nacht'])
    expect(await found('created')).toHaveLength(2)
    expect(await found('deleted')).toEqual([])
  })

  test('notifies nothing twice, who looks how often', async () => {
    const organization = await world.organization()
    const admin = await organization.as('admin')
    await cleared(organization)
    await newKey(admin)
    await Promise.all([notifyNow(organization), notifyNow(organization), notifyNow(organization)])
    await notifyNow(organization)
    expect(await titlesOf(organization.owner)).toHaveLength(1)
  })

  test('gathers repeats of an hour, with the last state, and notifies later ones anew', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const admin = await organization.as('admin')
    const { userId } = await organization.as('viewer')
    await cleared(organization)
    for (const role of ['editor', 'auditor', 'viewer'])
      expect((await admin.patch(`/members/${userId}`, { role })).statusCode).toBe(200)
    await notifyNow(organization)
    await admin.patch(`/members/${userId}`, { role: 'editor' })
    await notifyNow(organization)
    const { data, meta } = await inboxOf(owner)
    expect(data).toMatchObject([
      { count: 4, changes: [{ name: 'Role', before: 'viewer', after: 'editor' }] },
    ])
    expect(meta.unread).toBe(1)
    world.clock.advance(hourMs)
    await admin.patch(`/members/${userId}`, { role: 'viewer' })
    await notifyNow(organization)
    expect((await inboxOf(owner)).data).toMatchObject([{ count: 1 }, { count: 4 }])
  })

  test('is marked as read, one by one or all, by its owner only', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const [admin, other] = [await organization.as('admin'), await organization.as('admin')]
    await cleared(organization)
    for (const name of ['One', 'Two', 'Three']) await newKey(admin, name)
    await notifyNow(organization)
    const { data } = await inboxOf(owner)
    const [first] = data
    const foreign = await other.post(`/notifications/${first.id}/read`)
    expect(foreign.statusCode).toBe(404)
    const read = await owner.post(`/notifications/${first.id}/read`)
    expect(read.json()).toMatchObject({ id: first.id, read_at: expect.any(String) })
    expect((await owner.post(`/notifications/${first.id}/read`)).json()).toEqual(read.json())
    expect((await inboxOf(owner, '?unread=true')).data).toHaveLength(2)
    expect((await inboxOf(owner, '?unread=false')).data).toHaveLength(1)
    expect((await owner.post('/notifications/read')).json()).toEqual({ unread: 0 })
    expect((await inboxOf(owner)).meta.unread).toBe(0)
    expect((await inboxOf(other)).meta.unread).toBe(3)
  })

  test('has no path to what is deleted', async () => {
    const organization = await world.organization()
    const admin = await organization.as('admin')
    const { userId } = await organization.as('viewer')
    await cleared(organization)
    expect((await admin.delete(`/members/${userId}`)).statusCode).toBe(204)
    await notifyNow(organization)
    expect((await inboxOf(organization.owner)).data).toMatchObject([
      { type: 'member.deleted', object: { id: userId }, path: null },
    ])
  })

  test('is for people: a key has none', async () => {
    const organization = await world.organization()
    const { client } = await madeKey(world, organization.owner, { role: 'admin' })
    for (const path of ['/notifications', '/auth/me/notifications'])
      expect((await client.get(path)).statusCode).toBe(403)
  })

  test('keeps the newest thousand', async () => {
    const organization = await world.organization()
    const { owner, ctx, id } = organization
    const old = {
      ...{ title: 'Old', object: { type: 'api_key', id: 'key_1', name: null }, changes: [] },
      ...{ actor: { type: 'cli', id: null, name: null }, sum: null, reason: null, path: null },
    }
    await ctx.services.database.transaction(async (tx) =>
      tx.send({
        sql: `insert into notifications (organization_id, id, user_id, category, type, object_id,
            event_id, content, count, created_at, updated_at)
          select $1, 'ntf_0' || lpad(n::text, 25, '0'), $2, 'security', 'api_key.created', 'key_' || n, 'evt_0' || lpad(n::text, 25, '0'),
            $4, 1, $3::timestamptz - n * interval '1 minute', $3::timestamptz
          from generate_series(1, 1200) n`,
        parameters: [id, owner.userId, world.clock.now().toISOString(), JSON.stringify(old)],
      }),
    )
    await newKey(await organization.as('admin'))
    await notifyNow(organization)
    const { data, meta } = await inboxOf(owner, '?include_total=true&limit=5')
    expect(meta.total).toBe(1_000)
    const titles = data.map(({ title }: { title: string }) => title)
    expect(titles).toContain('API key “Nightly export” was created')
  })
})

describe('what waits for an approval', () => {
  test('is notified to those who may approve it, but not to who proposed it', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const [admin, editor, viewer] = await Promise.all(
      (['admin', 'editor', 'viewer'] as const).map((role) => organization.as(role)),
    )
    if (!admin || !editor || !viewer) throw new Error('no people')
    await cleared(organization)
    const { changeSet } = await raised(organization, admin)
    await notifyNow(organization)
    expect((await inboxOf(owner)).data).toMatchObject([
      {
        category: 'approvals_waiting',
        title: 'Change set “Weekend sale” waits for approval',
        sum: expect.stringMatching(/^[\d.]+ USD → 100\.00 USD a day$/),
        path: `/change-sets/${changeSet.id}`,
      },
    ])
    for (const each of [admin, editor, viewer]) expect(await titlesOf(each)).toEqual([])
    await approve(owner, changeSet)
    await admin.post(`/change_sets/${changeSet.id}/apply`)
    await notifyNow(organization)
    expect(await titlesOf(admin)).toEqual(['Change set “Weekend sale” was approved'])
  })

  test('is notified of what a key proposes, but not to the person behind the key', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const admin = await organization.as('admin')
    const { client } = await madeKey(world, admin, { role: 'admin' })
    await cleared(organization)
    await raised(organization, client)
    await notifyNow(organization)
    const waiting = 'Change set “Weekend sale” waits for approval'
    expect(await titlesOf(owner)).toContain(waiting)
    expect(await titlesOf(admin)).not.toContain(waiting)
  })

  test('is notified of campaigns, and its outcome to who submitted them', async () => {
    const organization = await world.organization()
    const { owner } = organization
    await owner.put('/organization/guardrails', { approval: { mode: 'always' } })
    const id = await campaignAfter(organization)
    const editor = await organization.as('editor')
    await cleared(organization)
    await editor.post(`/campaigns/${id}/submit`)
    await owner.post(`/campaigns/${id}/reject`, { reason: 'Not this month' })
    await notifyNow(organization)
    expect((await titlesOf(owner)).join()).toMatch(/^Campaign “.+” waits for approval$/)
    expect((await inboxOf(editor)).data).toMatchObject([
      { category: 'my_change_sets', type: 'campaign.rejected', reason: 'Not this month' },
    ])
  })
})

describe('a change set that the clock applies', () => {
  test('is notified to its author, in whose name it was done', async () => {
    const organization = await world.organization()
    const { id, ctx, owner } = organization
    const event = {
      ...{ id: 'evt_01m7yez275fk1a52pr5qevn8kn', type: 'change_set.applied', sequence: 0 },
      ...{ timestamp: world.clock.now().toISOString(), api_version: 'v1', organization_id: id },
      ...{ request_id: null, actor: { type: 'user', id: owner.userId, name: 'Ada' }, test: false },
      data: { object: { id: 'chs_1', title: 'Friday', created_by: owner.userId }, previous: null },
    }
    await cleared(organization)
    await ctx.services.database.transaction(async (tx) => {
      const sql = `with head as (update organization_heads set event_sequence = event_sequence + 1
          where organization_id = $1 returning event_sequence)
        insert into events (organization_id, sequence, id, type, occurred_at, body)
        select $1, event_sequence, $2, $3, $4, $5 from head`
      const { type, timestamp } = event
      const eventId = `evt_${ctx.organization.id.slice(4)}`
      tx.send({
        sql,
        parameters: [id, eventId, type, timestamp, JSON.stringify({ ...event, id: eventId })],
      })
    })
    await notifyNow(organization)
    expect(await titlesOf(owner)).toEqual(['Change set “Friday” was applied'])
  })
})

describe('a scope', () => {
  test('hides what it does not show, also what was notified before it changed', async () => {
    const organization = await world.organization()
    const { owner } = organization
    const [ours, theirs] = [
      await portfolio(world, organization, 'north'),
      await portfolio(world, organization, 'south'),
    ]
    const scope = { client_ids: [ours.client_id] }
    const viewer = await scopedMember(organization, 'viewer', scope)
    const drift = async ({ campaign_id }: typeof ours) => {
      const sql = `select body from events where organization_id = $1 and type = 'deployment.created'
        and body::jsonb #>> '{data,object,campaign_id}' = $2`
      const { database } = organization.ctx.services
      const [row] = await database.reader.query<{ body: string }>({
        sql,
        parameters: [organization.id, campaign_id],
      })
      const id = newIdAt(eventIds, world.clock.now())
      const event = { ...JSON.parse(row?.body ?? ''), id, type: 'deployment.drifted' }
      await database.transaction(async (tx) =>
        tx.send({
          sql: `with head as (update organization_heads set event_sequence = event_sequence + 1
              where organization_id = $1 returning event_sequence)
            insert into events (organization_id, sequence, id, type, occurred_at, body)
            select $1, event_sequence, $2, $3, $4, $5 from head`,
          parameters: [
            ...[organization.id, id, event.type, event.timestamp],
            JSON.stringify(event),
          ],
        }),
      )
    }
    await drift(ours)
    await drift(theirs)
    await notifyNow(organization)
    const [mine] = (await inboxOf(viewer)).data
    expect((await inboxOf(viewer)).data).toMatchObject([
      { category: 'deployments', object: { id: ours.campaign_id } },
    ])
    const stored = await organization.ctx.services.database.reader.query({
      sql: 'select id from notifications where organization_id = $1 and user_id = $2',
      parameters: [organization.id, viewer.userId],
    })
    expect(stored).toHaveLength(1)
    await owner.patch(`/members/${viewer.userId}`, { scope: { client_ids: [theirs.client_id] } })
    expect(await inboxOf(viewer)).toMatchObject({ data: [], meta: { unread: 0 } })
    expect((await viewer.post(`/notifications/${mine.id}/read`)).statusCode).toBe(404)
  })

  test('goes with the role: who is no admin any more sees nothing of keys', async () => {
    const organization = await world.organization()
    const [admin, other] = [await organization.as('admin'), await organization.as('admin')]
    await cleared(organization)
    await newKey(admin)
    await notifyNow(organization)
    expect((await inboxOf(other)).meta.unread).toBe(1)
    await organization.owner.patch(`/members/${other.userId}`, { role: 'viewer' })
    expect(await inboxOf(other)).toMatchObject({ data: [], meta: { unread: 0 } })
  })
})

describe('settings', () => {
  test('begin with the console for all, and mail for what guards the organization', async () => {
    const organization = await world.organization()
    const viewer = await organization.as('viewer')
    const path = '/auth/me/notifications'
    const defaults = {
      ...{ approvals_waiting: 'console', my_change_sets: 'console', pacing: 'console' },
      ...{ deployments: 'console', security: 'mail', digest: 'none' },
    }
    expect((await viewer.get(path)).json()).toEqual(defaults)
    const changed = await viewer.put(path, { pacing: 'none', digest: 'daily' })
    expect(changed.json()).toEqual({ ...defaults, pacing: 'none', digest: 'daily' })
    expect((await viewer.put(path, { pacing: 'mail' })).json()).toMatchObject({ digest: 'daily' })
    expect((await viewer.get(path)).json()).toMatchObject({ pacing: 'mail', digest: 'daily' })
    expect((await viewer.put(path, { pacing: 'fax' })).statusCode).toBe(422)
    expect((await organization.owner.get(path)).json()).toEqual(defaults)
  })

  test('with none nothing is notified', async () => {
    const organization = await world.organization()
    const { owner } = organization
    await owner.put('/auth/me/notifications', { security: 'none' })
    await newKey(await organization.as('admin'))
    await notifyNow(organization)
    expect(await titlesOf(owner)).toEqual([])
  })
})
