import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Plan } from '../kit/src/connect.ts'
import { type Opened, opened } from './test/opened.ts'

// Plans that the network cannot hold are refused before they are sent, with where and why.

let all: Opened
beforeEach(async () => {
  all = await opened()
})
afterEach(() => all.fake.close())

const dayMs = 86_400_000
const midnight = (days: number, ms = 0) =>
  new Date((Math.floor(Date.now() / dayMs) + days) * dayMs + ms).toISOString()
const noon = midnight(20, dayMs / 2)

const bodyOf = async (change: Partial<Plan>) => {
  const planned = all.adapter.plan(
    { ...all.plan, ...change },
    await all.adapter.account(all.access),
  )
  if ('refused' in planned) throw new Error(JSON.stringify(planned.refused))
  return planned.body
}

const apply = { seen: null, marker: 'fd:1', validateOnly: false }
const lifetime = { daily_budget_minor: null, lifetime_budget_minor: 90_000 }
const declaration = '/settings/contains_eu_political_advertising'
const [wholeDays, days, stated] = [
  'Google Ads has dates of SEARCH campaigns in whole days of the account’s time zone: choose midnight.',
  'With a lifetime budget a SEARCH campaign runs 3 to 90 days.',
  'Whether it contains political advertising for the European Union must be stated: CONTAINS_EU_POLITICAL_ADVERTISING or DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING.',
]

test.each([
  ['start at noon', { start_at: noon }, 'cannot_hold', '/start_at', wholeDays],
  ['end at noon', { end_at: noon }, 'cannot_hold', '/end_at', wholeDays],
  [
    'lifetime budget for two days',
    { ...lifetime, start_at: midnight(2), end_at: midnight(4) },
    ...['cannot_hold', '/end_at', days],
  ],
  [
    'lifetime budget of a display campaign',
    { ...lifetime, objective: 'reach', start_at: midnight(2), end_at: midnight(9) },
    ...['cannot_hold', '/lifetime_budget'],
    'DISPLAY campaigns of Google Ads have no lifetime budget.',
  ],
  ['campaign without a declaration', { settings: {} }, 'declaration', declaration, stated],
] as const)('a %s is not sent', async (_, change, code, pointer, message) => {
  const body = await bodyOf(change)
  await expect(all.adapter.apply(all.access, body, apply)).rejects.toMatchObject({
    ...{ kind: 'blocked', code, message, errors: [{ pointer, message }] },
  })
  expect(all.fake.counts.get('mutate')).toBeUndefined()
})

const dates = { start_at: midnight(2), end_at: midnight(9) }

test.each([
  ['a lifetime one', dates, { ...lifetime, ...dates }, '/lifetime_budget'],
  ['a daily one', { ...lifetime, ...dates }, dates, '/daily_budget'],
])('a budget is never changed into %s', async (_, first, next, pointer) => {
  const { id } = await all.adapter.apply(all.access, await bodyOf(first), apply)
  const seen = (await all.adapter.read(all.access, { ids: [id] })).get(id) ?? null
  const message = 'Google Ads cannot change a campaign between daily and lifetime budgets.'
  await expect(
    all.adapter.apply(all.access, await bodyOf(next), { ...apply, seen }),
  ).rejects.toMatchObject({
    ...{ kind: 'blocked', code: 'cannot_change', message, errors: [{ pointer, message }] },
  })
  expect(all.fake.counts.get('mutate')).toBe(1)
})
