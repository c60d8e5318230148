import { afterEach, beforeEach, expect, test } from 'vitest'
import { wallClock } from './fake/clock.ts'
import type { Json } from './fake/json.ts'
import { isFinalOn } from './mapping/finality.ts'
import { customerId } from './test/credential.ts'
import { type Opened, opened } from './test/opened.ts'

// Figures of days: of which campaigns, in which units, and when they are final.

let all: Opened
beforeEach(async () => {
  all = await opened()
})
afterEach(() => all.fake.close())

const dayMs = 86_400_000
const dayBefore = (days: number) => wallClock(Date.now() - days * dayMs, 'UTC').slice(0, 10)
const set = (id: string, date: string, figures: Json) =>
  all.fake.control.setFigures(customerId, id, date, figures)
const asked = (ids: string[], from: string, to: string) =>
  Array.fromAsync(all.adapter.results(all.access, ids, { from, to }))

async function made(): Promise<string> {
  const planned = all.adapter.plan(all.plan, await all.adapter.account(all.access))
  if (!('body' in planned)) throw new Error('refused')
  const apply = { seen: null, marker: 'fd:1', validateOnly: false }
  return (await all.adapter.apply(all.access, planned.body, apply)).id
}

const figures = {
  ...{ costMicros: '1235000', impressions: '900', clicks: '7' },
  ...{ conversions: 0.3333333, conversionsValue: 12.345 },
}

test('are of the campaigns and days asked for', async () => {
  const id = await made()
  for (const day of [20, 18]) set(id, dayBefore(day), figures)
  expect(await asked([id], dayBefore(25), dayBefore(19))).toEqual([
    {
      ...{ id, date: dayBefore(20), spend_minor: 124, impressions: 900, clicks: 7 },
      ...{ conversions: 0.333333, conversion_value_minor: 1_235, is_final: false },
    },
  ])
})

test.each([
  ['no action', [], 30],
  ['actions', [30, 90], 90],
  ['a view that counts longer', [[7, 30]], 30],
  ['windows without days', [null], 30],
  ['short windows', [7], 7],
])('are final once the longest conversion window has ended: %s', async (_, given, longest) => {
  all.fake.control.account(customerId).conversionActions = given.map((each, at) => {
    const [click, view] = Array.isArray(each) ? each : [each]
    return {
      ...{ resourceName: `customers/${customerId}/conversionActions/${at}`, status: 'ENABLED' },
      ...(click && { clickThroughLookbackWindowDays: String(click) }),
      ...(view && { viewThroughLookbackWindowDays: String(view) }),
    }
  })
  const id = await made()
  // Three days more, for conversions that are counted late.
  const open = longest + 3
  expect(await all.adapter.openDays?.(all.access)).toBe(open)
  for (const days of [0, open, open + 1]) set(id, dayBefore(days), figures)
  const rows = await asked([id], dayBefore(100), dayBefore(0))
  const finals = rows.map(({ date, is_final }) => [date, is_final])
  expect(finals.toSorted()).toEqual([
    [dayBefore(open + 1), true],
    [dayBefore(open), false],
    [dayBefore(0), false],
  ])
})

test('an action that is removed has no window', async () => {
  all.fake.control.account(customerId).conversionActions = [
    { status: 'REMOVED', clickThroughLookbackWindowDays: '90' },
    { status: 'HIDDEN', clickThroughLookbackWindowDays: '14' },
  ]
  expect(await all.adapter.openDays?.(all.access)).toBe(17)
})

test('windows are asked for once a day', async () => {
  const id = await made()
  await asked([id], dayBefore(3), dayBefore(0))
  const before = all.fake.counts.get('searchStream') ?? 0
  await all.adapter.openDays?.(all.access)
  await asked([id], dayBefore(3), dayBefore(0))
  expect(all.fake.counts.get('searchStream')).toBe(before + 1)
})

test('what is no amount of conversions is left out, and the rest is kept', async () => {
  const id = await made()
  set(id, dayBefore(1), { ...figures, conversions: 'NaN', conversionsValue: -4 })
  expect(await asked([id], dayBefore(1), dayBefore(1))).toMatchObject([
    { spend_minor: 124, conversions: null, conversion_value_minor: null },
  ])
})

test.each([
  // 2026-11-01 is a day of 25 hours in New York, and has ended there at 05:00 UTC.
  ['2026-11-01', '2026-11-03T04:59:59Z', 'America/New_York', false],
  ['2026-11-01', '2026-11-03T05:00:00Z', 'America/New_York', true],
  ['2026-11-01', '2026-11-02T10:00:00Z', 'Pacific/Auckland', false],
  ['2026-11-01', '2026-11-02T11:00:00Z', 'Pacific/Auckland', true],
])('%s is open for a day more, at %s in %s: %s', (date, now, time_zone, isFinal) => {
  expect(isFinalOn(date, { openDays: 1, time_zone, now: Date.parse(now) })).toBe(isFinal)
})
