import { assessDue } from '../../../src/features/campaigns/pacing/due.ts'
import type { World } from '../world.ts'
import { campaignBody, made, profileOf } from './writes.ts'

const dayMs = 86_400_000

type Options = { profile?: object; campaign?: object; guardrails?: object }

/**
 * A sandbox at the beginning of a month, with a campaign of 100.00 USD a day that was launched then.
 * Days are counted from 0.
 */
export async function newSpending(world: World, options: Options = {}) {
  const organization = await world.organization({ sandbox: true })
  const { owner } = organization
  const start = firstOfNextMonth(world.clock.now())
  const timeOf = (day: number) => new Date(start.getTime() + day * dayMs).toISOString()
  const dateOf = (day: number) => timeOf(day).slice(0, 10)
  /** Moves the clock, and lets the background judge what is due. */
  const moveTo = async (day: number) => {
    const moved = await owner.post('/sandbox/clock', { now: timeOf(day) })
    if (moved.statusCode !== 200) throw new Error(moved.body)
    await judge()
  }
  const judge = () => assessDue(world.services, AbortSignal.timeout(20_000))
  await moveTo(0)
  if (options.guardrails) await owner.put('/organization/guardrails', options.guardrails)
  const profile_id = await profileOf(organization, options.profile)
  const launched = async (body: object = {}): Promise<string> => {
    const campaign = { ...campaignBody(profile_id), daily_budget: 100, ...body }
    const id = await made(owner, '/campaigns', campaign)
    const reply = await owner.post(`/campaigns/${id}/launch`)
    if (reply.statusCode !== 200) throw new Error(reply.body)
    return id
  }
  const id = await launched(options.campaign)
  /** Reports the spend of days, as of the organization's time. */
  const report = async (spends: Readonly<Record<number, number>>, more: object = {}, of = id) => {
    const { now } = (await owner.get('/sandbox')).json()
    const rows = Object.entries(spends).map(([day, spend]) => ({
      campaign_id: of,
      date: dateOf(Number(day)),
      spend,
    }))
    return owner.post('/results', { source: 'google_ads', reported_at: now, rows, ...more })
  }
  return {
    ...{ organization, owner, profile_id, id, launched, report, moveTo, judge, timeOf, dateOf },
    /** The same spend on each of the days up to one, which are then complete. */
    spend: (days: number, amount: number, of = id) =>
      report(
        Object.fromEntries(Array.from({ length: days }, (_, day) => [day, amount])),
        { complete_through: dateOf(days - 1) },
        of,
      ),
    pacing: async (of = id) => (await owner.get(`/campaigns/${of}/pacing`)).json(),
    listed: async (query = '') => (await owner.get(`/pacing${query}`)).json().data,
    campaign: async (of = id) => (await owner.get(`/campaigns/${of}`)).json(),
    alerts: async () =>
      (await owner.get('/events?type=pacing.*&sort=sequence&limit=100')).json().data,
  }
}

const firstOfNextMonth = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
