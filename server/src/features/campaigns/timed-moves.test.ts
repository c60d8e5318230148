import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { campaignBody, made, profileOf } from '../../../test/support/cases/writes.ts'
import { backgroundOf } from '../../../test/support/machines/background.ts'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import { openWorld, type TestOrganization } from '../../../test/support/world.ts'
import { moveDue } from './timed-moves.ts'

let world: OwnWorld

// Its own database: the job moves everything that is due.
beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(async () => {
  await world.close()
})

const look = () => moveDue(world.services, AbortSignal.timeout(20_000))
const inSeconds = (seconds: number) =>
  new Date(world.clock.now().getTime() + seconds * 1000).toISOString()

async function after(seconds: number): Promise<void> {
  world.clock.advance(seconds * 1000)
  await look()
}

type Made = { id: string; profile: string }

async function launched({ owner, ...rest }: TestOrganization, body: object): Promise<Made> {
  const profile = await profileOf({ owner, ...rest })
  const id = await made(owner, '/campaigns', { ...campaignBody(profile), ...body })
  expect((await owner.post(`/campaigns/${id}/launch`)).statusCode).toBe(200)
  return { id, profile }
}

const campaignOf = async ({ owner }: TestOrganization, { id }: Made) =>
  (await owner.get(`/campaigns/${id}`)).json()

const eventsOf = async ({ owner }: TestOrganization, { id }: Made): Promise<string[]> =>
  (await owner.get('/events?type=campaign.*&sort=sequence&limit=100'))
    .json()
    .data.filter((event: { data: { object: { id: string } } }) => event.data.object.id === id)
    .map((event: { type: string }) => event.type)

test('a scheduled campaign starts at its time, and not before', async () => {
  const organization = await world.organization()
  const campaign = await launched(organization, { start_at: inSeconds(100) })
  await after(99)
  expect(await campaignOf(organization, campaign)).toMatchObject({ status: 'scheduled' })
  await after(1)
  const started = await campaignOf(organization, campaign)
  expect(started).toMatchObject({ status: 'active', version: 3, updated_by: null })
  expect(started.delivery).toEqual({ state: 'eligible', reasons: [] })
  await look()
  expect(await eventsOf(organization, campaign)).toEqual([
    'campaign.created',
    'campaign.scheduled',
    'campaign.activated',
  ])
  const { data } = (await organization.owner.get('/audit_logs?action=campaign.activated')).json()
  expect(data).toMatchObject([{ actor: { type: 'system' }, request: null, outcome: 'success' }])
})

test.each(['active', 'scheduled', 'paused'])(
  'an end completes a campaign that is %s',
  async (status) => {
    const organization = await world.organization()
    const start_at = status === 'scheduled' ? inSeconds(50) : null
    const campaign = await launched(organization, { start_at, end_at: inSeconds(100) })
    if (status === 'paused') await organization.owner.post(`/campaigns/${campaign.id}/pause`)
    // No job ran in between: a service that was down catches up.
    await after(100)
    expect(await campaignOf(organization, campaign)).toMatchObject({
      status: 'completed',
      completed_at: world.clock.now().toISOString(),
    })
    expect((await eventsOf(organization, campaign)).at(-1)).toBe('campaign.completed')
  },
)

test('an obstacle at the start pauses it, and is its reason', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const campaign = await launched(organization, { start_at: inSeconds(100) })
  const proxy = await made(owner, '/proxies', { protocol: 'http', host: 'a.example', port: 80 })
  await owner.put(`/profiles/${campaign.profile}`, { proxy_id: proxy })
  await world.database.query(`update proxies set health = 'failing' where id = $1`, [proxy])
  await after(100)
  expect(await campaignOf(organization, campaign)).toMatchObject({
    status: 'paused',
    status_reason: 'proxy_failing',
  })
  expect((await eventsOf(organization, campaign)).at(-1)).toBe('campaign.paused')
})

test('two processes that run the job at once move each campaign once', async () => {
  const other = await openWorld({ address: world.database.address, clock: world.clock })
  const organization = await world.organization()
  const campaigns: Made[] = []
  for (let at = 0; at < 20; at += 1) {
    campaigns.push(await launched(organization, { start_at: inSeconds(100) }))
  }
  world.clock.advance(100_000)
  await Promise.all([look(), moveDue(other.services, AbortSignal.timeout(20_000))])
  for (const campaign of campaigns) {
    const reported = await eventsOf(organization, campaign)
    expect(reported.filter((type) => type === 'campaign.activated')).toHaveLength(1)
  }
  expect((await organization.owner.get('/audit_logs/verify')).json().valid).toBe(true)
  await other.close()
})

test('a campaign that cannot be moved does not block others, and is reported', async () => {
  const organization = await world.organization()
  const campaigns: Made[] = []
  for (let at = 0; at < 5; at += 1) {
    campaigns.push(await launched(organization, { start_at: inSeconds(100) }))
  }
  await world.database.query(`
    create function stand_still() returns trigger language plpgsql as $$
      begin raise exception 'it does not move'; end $$`)
  await world.database.query(`
    create trigger stuck before update on campaigns
      for each row when (new.id = '${campaigns[2]?.id}') execute function stand_still()`)
  await expect(after(100)).rejects.toThrow('it does not move')
  const statuses = async () =>
    (await Promise.all(campaigns.map((each) => campaignOf(organization, each)))).map(
      ({ status }) => status,
    )
  expect(await statuses()).toEqual(['active', 'active', 'scheduled', 'active', 'active'])
  await world.database.query('drop trigger stuck on campaigns')
  await look()
  expect(await statuses()).toEqual(['active', 'active', 'active', 'active', 'active'])
  expect((await organization.owner.get('/audit_logs/verify')).json().valid).toBe(true)
})

test('drafts and archived campaigns are left alone', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const profile = await profileOf(organization)
  const times = { start_at: inSeconds(50), end_at: inSeconds(100) }
  const id = await made(owner, '/campaigns', { ...campaignBody(profile), ...times })
  await after(200)
  expect(await campaignOf(organization, { id, profile })).toMatchObject({ status: 'draft' })
})

test('the running service does it by itself, within a second', async () => {
  const organization = await world.organization()
  const campaign = await launched(organization, { start_at: inSeconds(100) })
  const { services } = world
  const background = backgroundOf({ services, address: world.database.address })
  world.clock.advance(100_000)
  await vi.waitFor(
    async () => {
      expect(await campaignOf(organization, campaign)).toMatchObject({ status: 'active' })
    },
    { timeout: 20_000, interval: 50 },
  )
  await background.stop()
})
