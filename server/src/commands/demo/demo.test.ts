import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnWorld, openOwnWorld } from '../../../test/support/own-world.ts'
import { assessDue } from '../../features/campaigns/pacing/due.ts'
import { checkDueProxies } from '../../features/proxies/check-job.ts'
import { inTransaction } from '../../kernel/transaction.ts'
import { fill } from './demo.ts'

let world: OwnWorld

// The job is for every organization, so this test has its own database.
beforeAll(async () => {
  world = await openOwnWorld()
})
afterAll(() => world.close())

const minutes = 60_000

test('after an hour of the demo one proxy is failing, and blocks one profile only', async () => {
  const { owner, ctx } = await world.organization()
  await inTransaction(ctx, fill)
  for (let passed = 0; passed < 60; passed += 12) {
    world.clock.advance(12 * minutes)
    await checkDueProxies(world.services, AbortSignal.timeout(20_000))
  }
  const { data: proxies } = (await owner.get('/proxies')).json()
  const failing = proxies.filter(({ status }: { status: string }) => status !== 'disabled')
  expect(failing).toEqual([
    expect.objectContaining({ name: 'Tokyo (fails on purpose)', status: 'failing' }),
  ])
  const { data: campaigns } = (await owner.get('/campaigns?status=active&limit=100')).json()
  const blocked = campaigns.filter(({ delivery }: { delivery: { reasons: string[] } }) =>
    delivery.reasons.includes('proxy_failing'),
  )
  expect(blocked.length).toBeGreaterThan(0)
  expect(new Set(blocked.map(({ profile_id }: { profile_id: string }) => profile_id)).size).toBe(1)
  expect(blocked.length).toBeLessThan(campaigns.length / 4)
})

test('the demo is consistent at each of its versions', async () => {
  const { owner, ctx } = await world.organization()
  await inTransaction(ctx, fill)
  const { data: campaigns } = (await owner.get('/campaigns?limit=100&include_archived=true')).json()
  const { data: profiles } = (await owner.get('/profiles?limit=100')).json()
  const createdAt = new Map(
    profiles.map(({ id, created_at }: { id: string; created_at: string }) => [id, created_at]),
  )
  for (const { id, profile_id, created_at } of campaigns) {
    expect(createdAt.get(profile_id)).toSatisfy((time: string) => time < created_at)
    const { data: versions } = (await owner.get(`/campaigns/${id}/history`)).json()
    for (const { at } of versions) {
      const then = (await owner.get(`/campaigns/${id}?as_of=${at}`)).json()
      const reasons = [
        ...then.delivery.reasons,
        ...then.available_actions.flatMap((each: { blocked_by: string[] }) => each.blocked_by),
      ]
      expect(reasons).not.toContain('organization_suspended')
      expect(reasons).not.toContain('profile_not_active')
    }
  }
})

test('the demo has results of 60 days, up to today, as planned, beneath and beyond', async () => {
  const { owner, ctx } = await world.organization()
  const { days_of_results, campaigns } = await inTransaction(ctx, fill)
  expect(days_of_results).toBeGreaterThan(20 * campaigns)
  const sources = (await owner.get('/results/sources')).json().data
  const platforms = ['amazon_ads', 'google_ads', 'linkedin', 'meta', 'tiktok', 'x']
  expect(sources.map(({ source }: { source: string }) => source).sort()).toEqual(platforms)
  const day = 24 * 60 * minutes
  const at = (days: number) =>
    new Date(world.clock.now().getTime() + days * day).toISOString().slice(0, 10)
  const range = `from=${at(-61)}&to=${at(2)}`
  const { data: days } = (
    await owner.get(`/results?group_by=day&currency=EUR&${range}&limit=100`)
  ).json()
  expect(days.filter(({ data }: { data: boolean }) => data)).toHaveLength(60)
  await assessDue(world.services, AbortSignal.timeout(20_000))
  const { data: paced } = (await owner.get('/pacing?limit=100')).json()
  // Campaigns with a lifetime budget, on the first day of a month too.
  const judged = paced.filter((each: { confidence: string }) => each.confidence === 'normal')
  expect(judged.length).toBeGreaterThan(5)
  const { data: running } = (await owner.get('/campaigns?status=active&limit=100')).json()
  const shares = await Promise.all(
    running.map(async ({ id, daily_budget }: { id: string; daily_budget: number }) => {
      const path = `/campaigns/${id}/results?from=${at(-8)}&to=${at(-1)}&granularity=month`
      const { data } = (await owner.get(path)).json()
      const spend = data.reduce((sum: number, each: { spend: number }) => sum + each.spend, 0)
      return spend / daily_budget / 7
    }),
  )
  expect(Math.min(...shares)).toBeLessThan(0.8)
  expect(Math.max(...shares)).toBeGreaterThan(1.1)
  expect(shares.filter((share) => Math.abs(share - 1) < 0.05).length).toBeGreaterThan(5)
})
