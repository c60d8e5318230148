import type { FlightdeckEvent } from '@flightdeckhq/sdk'
import { describe, expect, test } from 'vitest'
import { deletedBy, movesOf, newBurst, take } from './burst.ts'

type Rows = Parameters<typeof movesOf>[0]['grid']['asRead']
type Row = Rows[number]

const row = (id: string, fields: Partial<Row> = {}): Row => ({
  id,
  name: `Campaign ${id}`,
  status: 'active',
  delivery: { state: 'eligible', reasons: [] },
  available_actions: [],
  currency: 'EUR',
  currency_exponent: 2,
  time_zone: 'UTC',
  version: 1,
  created_at: `2026-11-0${id}T00:00:00Z`,
  ...fields,
})

/** As much of an event as decides whether it concerns the list. */
const event = (type: string, object: object) =>
  ({ type, data: { object } }) as unknown as FlightdeckEvent

describe('events that concern a list', () => {
  test('a campaign that was created or changed is drawn, and asked for', () => {
    const burst = newBurst()
    expect(take(event('campaign.created', row('1')), burst, {})).toBe(true)
    expect(take(event('campaign.updated', row('2')), burst, {})).toBe(true)
    expect([...burst.drawn.keys()]).toEqual(['1', '2'])
    expect([...burst.changed]).toEqual(['1', '2'])
    expect([...burst.created]).toEqual(['1'])
  })

  test('of several events about a campaign the last is drawn', () => {
    const burst = newBurst()
    for (const name of ['First', 'Second'])
      take(event('campaign.updated', row('1', { name })), burst, {})
    expect(burst.drawn.get('1')?.name).toBe('Second')
  })

  test('what is deleted is not asked for', () => {
    const deleted = event('campaign.deleted', row('1'))
    expect(take(deleted, newBurst(), {})).toBe(false)
    expect([deletedBy(deleted), deletedBy(event('profile.deleted', { id: '2' }))]).toEqual([
      '1',
      '',
    ])
  })

  test('what delivery depends on concerns the rows in sight', () => {
    const burst = newBurst()
    expect(take(event('proxy.health_changed', { id: 'prx_1' }), burst, {})).toBe(true)
    expect(burst.isAround).toBe(true)
    expect(take(event('api_key.created', { id: 'key_1' }), newBurst(), {})).toBe(false)
  })

  test('another performance is asked for, as its event is no row', () => {
    const burst = newBurst()
    const changed = event('campaign.performance_changed', { campaign_id: '1' })
    expect(take(changed, burst, {})).toBe(true)
    expect([[...burst.changed], burst.drawn.size]).toEqual([['1'], 0])
  })

  test('another pacing concerns a list that follows it', () => {
    const changed = event('pacing.changed', { campaign_id: '1' })
    const burst = newBurst()
    expect(take(changed, burst, { sort: '-money_at_risk' })).toBe(true)
    expect([...burst.paced]).toEqual(['1'])
    expect(take(changed, newBurst(), { sort: 'name' })).toBe(false)
  })
})

type Options = {
  before?: Rows
  isComplete?: boolean
  query?: Parameters<typeof movesOf>[0]['query']
  created?: readonly string[]
  paced?: readonly string[]
}

/** The rows that moved, once those of some ids were asked for again. */
function moves(ids: readonly string[], found: Rows, options: Options = {}) {
  const { before = [row('1'), row('2')], isComplete = true, query = {} } = options
  const { created = [], paced = [] } = options
  return movesOf({ grid: { asRead: before, isComplete }, query }, byId(found), {
    ids,
    created: new Set(created),
    paced: new Set(paced),
  })
}

const byId = (rows: Rows) => new Map(rows.map((each) => [each.id, each]))

describe('rows of a list move', () => {
  test('a row that is as it was stays', () => {
    expect(moves(['1'], [row('1', { name: 'Another' })])).toEqual({ out: [], back: ['1'] })
  })

  test('a row that the filters leave out now is out', () => {
    expect(moves(['1', '2'], [row('2')])).toEqual({ out: ['1'], back: ['2'] })
  })

  test('a row is out of its place once the field by which the list is sorted changes', () => {
    const renamed = [row('1', { name: 'Another' })]
    expect(moves(['1'], renamed, { query: { sort: 'name' } }).out).toEqual(['1'])
    expect(moves(['1'], renamed, { query: { sort: '-updated_at' } }).out).toEqual([])
  })

  test('sorted by the money at risk, another pacing moves a row', () => {
    const query = { sort: '-money_at_risk' }
    expect(moves(['1'], [row('1')], { query, paced: ['1'] }).out).toEqual(['1'])
    expect(moves(['1'], [row('1')], { query }).out).toEqual([])
  })

  test('of a list that was not read to its end, only what was created is new', () => {
    const found = [row('3')]
    expect(moves(['3'], found).out).toEqual(['3'])
    expect(moves(['3'], found, { isComplete: false }).out).toEqual([])
    expect(moves(['3'], found, { isComplete: false, created: ['3'] }).out).toEqual(['3'])
  })

  test('what the list neither had nor has is no move', () => {
    expect(moves(['4'], [])).toEqual({ out: [], back: ['4'] })
  })
})
