import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { watch } from '../support/documented.ts'
import { openWorld, type TestOrganization, unlimited, type World } from '../support/world.ts'

let world: World
let organization: TestOrganization

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const days = 86_400_000
const inDays = (count: number) => new Date(world.clock.now().getTime() + count * days).toISOString()

async function draft(body: object = {}): Promise<{ id: string; profile: string; proxy: string }> {
  organization = await world.organization()
  const { owner } = organization
  const proxy = await made(owner, '/proxies', { protocol: 'http', host: 'a.test', port: 8080 })
  const profile = await profileOf(organization, { currency: null, proxy_id: proxy })
  const id = await made(owner, '/campaigns', { ...campaignBody(profile), ...body })
  return { id, profile, proxy }
}

/** A new token when the clock has passed the old one's expiry. */
const client = () => organization.as('owner')
const act = async (id: string, action: string) =>
  (await client()).post(`/campaigns/${id}/${action}`)
const shown = async (id: string) => (await (await client()).get(`/campaigns/${id}`)).json()
const set = async (path: string, body: object) => {
  const reply = await (await client()).patch(path, body)
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
}

/** No endpoint sets a proxy's health: it comes from checks. */
async function setHealth(proxy: string, health: string): Promise<void> {
  await world.services.database.transaction(async (tx) => {
    tx.send({
      sql: 'update proxies set health = $1 where organization_id = $2 and id = $3',
      parameters: [health, organization.id, proxy],
    })
  })
}

describe('launch', () => {
  test('activates at once without a start, and records the time', async () => {
    const { id } = await draft()
    const reply = await act(id, 'launch')
    expect(reply.json()).toMatchObject({
      status: 'active',
      launched_at: world.clock.now().toISOString(),
      delivery: { state: 'eligible', reasons: [] },
    })
  })

  test('schedules when the start is in the future; unscheduling restores the draft', async () => {
    const { id } = await draft({ start_at: inDays(2), end_at: inDays(4) })
    expect((await act(id, 'launch')).json()).toMatchObject({
      status: 'scheduled',
      delivery: { state: 'not_eligible', reasons: ['before_start'] },
    })
    expect((await act(id, 'unschedule')).json()).toMatchObject({
      status: 'draft',
      launched_at: null,
      delivery: { reasons: ['not_launched'] },
    })
    world.clock.advance(2 * days)
    expect((await act(id, 'launch')).json().status).toBe('active')
  })

  test('with a start of exactly now activates at once', async () => {
    const { id } = await draft({ start_at: inDays(1) })
    world.clock.advance(days)
    expect((await act(id, 'launch')).json().status).toBe('active')
  })

  test('resumes into scheduled before the start, into active after it', async () => {
    const { id } = await draft({ start_at: inDays(2) })
    await act(id, 'launch')
    await act(id, 'pause')
    expect((await act(id, 'resume')).json().status).toBe('scheduled')
    await act(id, 'pause')
    world.clock.advance(3 * days)
    expect((await act(id, 'resume')).json().status).toBe('active')
  })

  test('fixes the start once it is reached', async () => {
    const { id } = await draft({ start_at: inDays(1) })
    await act(id, 'launch')
    await set(`/campaigns/${id}`, { start_at: inDays(2) })
    world.clock.advance(2 * days)
    const late = await (await client()).patch(`/campaigns/${id}`, { start_at: inDays(3) })
    expect(late.json().errors).toMatchObject([{ pointer: '/start_at', code: 'immutable_field' }])
  })
})

type About = Awaited<ReturnType<typeof draft>>

const obstacles: Record<
  string,
  { arise(about: About): Promise<unknown>; go(about: About): Promise<unknown> }
> = {
  profile_not_active: {
    arise: ({ profile }) => set(`/profiles/${profile}`, { status: 'paused' }),
    go: ({ profile }) => set(`/profiles/${profile}`, { status: 'active' }),
  },
  after_end: {
    arise: async () => world.clock.advance(5 * days),
    go: ({ id }) => set(`/campaigns/${id}`, { end_at: inDays(9) }),
  },
  proxy_failing: {
    arise: ({ proxy }) => setHealth(proxy, 'failing'),
    go: ({ proxy }) => setHealth(proxy, 'degraded'),
  },
  currency_mismatch: {
    arise: ({ profile }) => set(`/profiles/${profile}`, { currency: 'EUR' }),
    go: ({ profile }) => set(`/profiles/${profile}`, { currency: 'USD' }),
  },
}

describe.each(Object.entries(obstacles))('a campaign is blocked by %s', (reason, { arise, go }) => {
  test('launch is refused with it, shown as unavailable, and succeeds once it is gone', async () => {
    const about = await draft({ end_at: inDays(4) })
    await arise(about)
    const before = await shown(about.id)
    const [launch] = before.available_actions
    expect(launch).toEqual({ action: 'launch', allowed: false, blocked_by: [reason] })
    const reply = await act(about.id, 'launch')
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'launch_blocked'])
    expect(reply.json().blocked_by).toEqual([reason])
    expect(await shown(about.id)).toEqual(before)
    await go(about)
    expect((await act(about.id, 'launch')).json().status).toBe('active')
  })

  test('resume is refused with it; pause, complete and archive are not', async () => {
    const about = await draft({ end_at: inDays(4) })
    await act(about.id, 'launch')
    await act(about.id, 'pause')
    if (reason === 'currency_mismatch') return
    await arise(about)
    const reply = await act(about.id, 'resume')
    expect(reply.json()).toMatchObject({ code: 'launch_blocked', blocked_by: [reason] })
    expect((await act(about.id, 'pause')).statusCode).toBe(200)
    expect((await act(about.id, 'complete')).json().status).toBe('completed')
    expect((await act(about.id, 'archive')).json().status).toBe('archived')
  })
})

test('all obstacles are reported at once', async () => {
  const about = await draft({ end_at: inDays(4) })
  for (const { arise } of Object.values(obstacles)) await arise(about)
  const { blocked_by } = (await act(about.id, 'launch')).json()
  expect(blocked_by.sort()).toEqual(Object.keys(obstacles).sort())
})

test('obstacles of a running campaign appear in its delivery', async () => {
  const about = await draft({ end_at: inDays(4) })
  await act(about.id, 'launch')
  await setHealth(about.proxy, 'failing')
  world.clock.advance(5 * days)
  expect((await shown(about.id)).delivery).toEqual({
    state: 'not_eligible',
    reasons: ['after_end', 'proxy_failing'],
  })
})

test('a profile that becomes inactive pauses its running campaigns, with the reason', async () => {
  const { id, profile } = await draft()
  await act(id, 'launch')
  await set(`/profiles/${profile}`, { status: 'archived' })
  expect(await shown(id)).toMatchObject({
    status: 'paused',
    status_reason: 'profile_not_active',
    version: 3,
  })
  await set(`/profiles/${profile}`, { status: 'active' })
  expect((await act(id, 'resume')).json()).toMatchObject({ status: 'active', status_reason: null })
})

test('an unarchived campaign has its former status', async () => {
  for (const actions of [[], ['launch', 'pause'], ['launch', 'complete']]) {
    const { id } = await draft()
    for (const action of actions) await act(id, action)
    const { status, completed_at } = await shown(id)
    expect((await act(id, 'archive')).json().archived_at).not.toBeNull()
    const back = (await act(id, 'unarchive')).json()
    expect(back).toMatchObject({ status, completed_at, archived_at: null })
  }
})
