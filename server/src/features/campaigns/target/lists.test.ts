import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSpending } from '../../../../test/support/cases/spending.ts'
import { watch } from '../../../../test/support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import { scopedMember } from '../../../../test/support/scoped.ts'
import { unlimited } from '../../../../test/support/world.ts'
import { judgeDue } from './due.ts'

let world: OwnWorld

// Its own database: the background judges whatever is due.
beforeAll(async () => {
  world = watch(await openOwnWorld({ env: unlimited }))
})
afterAll(() => world.close())

type Change = { data: { previous: { status: string }; object: { status: string } } }

/** Days of campaigns, with the same figures each. */
async function judging(target: object | null) {
  const spending = await newSpending(world, { campaign: { target, labels: ['first'] } })
  const { owner, dateOf, timeOf } = spending
  const judge = () => judgeDue(world.services, AbortSignal.timeout(20_000))
  let reports = 0
  /** Reports the last days before one, and judges what follows. */
  const achieve = async (day: number, figures: object, of = spending.id) => {
    reports += 1
    const rows = Array.from({ length: 7 }, (_, at) => ({
      campaign_id: of,
      date: dateOf(day - 7 + at),
      ...figures,
    }))
    const reported_at = timeOf(day - 0.5 + reports / 1_000)
    const reply = await owner.post('/results', { source: 'google_ads', reported_at, rows })
    expect([reply.statusCode, reply.json().counts.failed]).toEqual([207, 0])
    await judge()
  }
  const course = async () => {
    const path = '/events?type=campaign.performance_changed&sort=sequence&limit=100'
    const { data } = (await owner.get(path)).json()
    return data.map(({ data: { previous, object } }: Change) => [previous.status, object.status])
  }
  const ids = async (query: string, client = owner): Promise<string[]> => {
    const reply = await client.get(`/campaigns?fields=id&${query}`)
    expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
    return reply.json().data.map(({ id }: { id: string }) => id)
  }
  return { ...spending, judge, achieve, course, ids }
}

const cpa = (amount: number) => ({ spend: amount * 2, conversions: 2 })

describe('the status of performance', () => {
  test('is announced once, and left only 5 points beyond its bound', async () => {
    const { moveTo, achieve, course, judge, owner, id } = await judging({
      metric: 'cpa',
      value: 20,
    })
    await moveTo(8)
    await achieve(8, cpa(24))
    expect(await course()).toEqual([['no_data', 'on_target']])
    await achieve(8, cpa(24.01))
    await achieve(8, cpa(23.01))
    await judge()
    const off = ['on_target', 'off_target']
    expect(await course()).toEqual([['no_data', 'on_target'], off])
    const path = `/campaigns/${id}?include=performance`
    expect((await owner.get(path)).json().performance).toMatchObject({ status: 'off_target' })
    await achieve(8, cpa(23))
    expect((await course()).at(-1)).toEqual(['off_target', 'on_target'])
    const { data } = (await owner.get('/audit_logs?action=campaign.performance_changed')).json()
    expect(data).toHaveLength(3)
    expect(data[0]).toMatchObject({ actor: { type: 'system' }, resource: { id } })
    expect((await owner.get(`/campaigns/${id}/history`)).json().data).toHaveLength(2)
  })

  test('follows the clock, the target and the guardrail', async () => {
    const { moveTo, achieve, course, judge, owner, id } = await judging(null)
    await moveTo(8)
    await achieve(8, cpa(30))
    expect(await course()).toEqual([])
    await owner.patch(`/campaigns/${id}`, { target: { metric: 'cpa', value: 20 } })
    await judge()
    await owner.put('/organization/guardrails', { performance_bound: 60 })
    await judge()
    await moveTo(16)
    await judge()
    await owner.patch(`/campaigns/${id}`, { target: null })
    await judge()
    expect(await course()).toEqual([
      ['no_data', 'off_target'],
      ['off_target', 'on_target'],
      ['on_target', 'no_data'],
    ])
  })
})

describe('lists of campaigns by what they achieve', () => {
  async function three() {
    const given = await judging({ metric: 'cpa', value: 20 })
    const { launched, moveTo, achieve, id: dear } = given
    const target = { metric: 'cpa', value: 20 }
    const cheap = await launched({ target, labels: ['second'] })
    const none = await launched({ labels: ['second'] })
    await moveTo(8)
    await achieve(8, cpa(30), dear)
    await achieve(8, cpa(10), cheap)
    return { ...given, dear, cheap, none }
  }

  test('find them by status and by metrics, and sort them', async () => {
    const { ids, dear, cheap, none, owner } = await three()
    expect(await ids('target_status=off_target')).toEqual([dear])
    expect(await ids('target_status=on_target,off_target&sort=performance_index')).toEqual([
      dear,
      cheap,
    ])
    expect(await ids('sort=-performance_index')).toEqual([cheap, dear, none])
    expect(await ids('metric.cpa_min=20&currency=USD')).toEqual([dear])
    expect(await ids('metric.cpa_max=10&currency=USD&metric_window=30d')).toEqual([cheap])
    expect(await ids('metric.cpa_max=9.99&currency=USD')).toEqual([])
    expect(await ids('metric.conversions_min=14&sort=cpa')).toEqual([cheap, dear])
    expect(await ids('sort=-cpa&metric_window=this_month')).toEqual([dear, cheap, none])
    expect(await ids('sort=-spend&metric_window=last_month&limit=1')).toHaveLength(1)
    const total = await owner.get('/campaigns?target_status=off_target&include_total=true')
    expect(total.json().meta.total).toBe(1)
  })

  test('continue by their cursor alone, in the same window', async () => {
    const { owner, dear, cheap } = await three()
    const first = (await owner.get('/campaigns?sort=-cpa&metric_window=14d&limit=1')).json()
    expect(first.data[0].id).toBe(dear)
    const next = await owner.get(`/campaigns?limit=1&cursor=${first.meta.next_cursor}`)
    expect(next.json().data[0].id).toBe(cheap)
  })

  test('refuse what has no currency, or is no number', async () => {
    const { owner } = await judging(null)
    const code = async (query: string) => {
      const reply = await owner.get(`/campaigns?${query}`)
      return [reply.statusCode, reply.json().errors?.map((each: { code: string }) => each.code)]
    }
    expect(await code('metric.cpa_min=20')).toEqual([400, ['required']])
    expect(await code('metric.spend_min=20&currency=USD,EUR')).toEqual([400, ['required']])
    expect(await code('metric.cpa_min=x&currency=USD')).toEqual([400, ['invalid_format']])
    expect(await code('metric.cpa_min=1.005&currency=USD')).toEqual([400, ['budget_precision']])
    expect(await code('metric.roas_min=-1')).toEqual([400, ['out_of_range']])
    expect(await code('metric_window=8d')).toEqual([400, ['invalid_enum_value']])
    expect(await code('target_status=bad')).toEqual([400, ['invalid_enum_value']])
  })

  test('show what is in scope', async () => {
    const { ids, cheap, none, organization } = await three()
    const member = await scopedMember(organization, 'viewer', { labels: ['second'] })
    expect(await ids('sort=-cpa', member)).toEqual([cheap, none])
    expect(await ids('target_status=off_target', member)).toEqual([])
  })
})
