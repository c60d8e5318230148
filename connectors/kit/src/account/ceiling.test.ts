import { expect, test } from 'vitest'
import type { Seen } from '../contract/adapter.ts'
import type { Observed, Plan } from '../contract/plan.ts'
import { ceilingFault } from './ceiling.ts'

const seenOf = (id: string, observed: Observed): Seen => ({
  ...{ id, url: null, marker: null, status: 'active', observed },
  delivery: { state: 'unknown', reasons: [] },
})

const target = { currency: 'USD', run: 'enabled', daily_budget_minor: 3_000 } as Plan
const runs = (daily_budget_minor: number, run: 'enabled' | 'paused' = 'enabled'): Observed => ({
  ...{ run, daily_budget_minor },
})

test.each([
  ['what was seen', runs(7_000), undefined, true],
  ['what was seen', runs(7_001), undefined, false],
  ['nothing of what is paused', runs(9_000, 'paused'), undefined, true],
  ['a raise whose answer was lost', runs(4_000), runs(8_000), false],
  ['an enabling whose answer was lost', runs(8_000, 'paused'), runs(8_000), false],
  ['no lowering whose answer was lost', runs(8_000), runs(4_000), false],
  ['no pausing whose answer was lost', runs(8_000), runs(8_000, 'paused'), false],
  ['a lifetime budget whole', { run: 'enabled', lifetime_budget_minor: 8_000 }, undefined, false],
  ['what has no bound', { run: 'enabled' }, undefined, false],
] as const)('of another campaign counts %s: %o, %o', (_, observed, lost, isHeld) => {
  const seen = new Map([['1', seenOf('1', observed)]])
  const unsure = new Map(lost ? [['1', lost]] : [])
  const fault = ceilingFault(new Map([['USD', 10_000]]), { id: '2', target, seen, unsure })
  expect(fault === null).toBe(isHeld)
})

test('what is paused counts alone, and a currency without a ceiling has none', () => {
  const seen = new Map([['1', seenOf('1', runs(9_000))]])
  const asked = { id: '2', target: { ...target, run: 'paused' } as Plan, seen }
  expect(ceilingFault(new Map([['USD', 3_000]]), asked)).toBeNull()
  expect(ceilingFault(new Map([['USD', 2_999]]), asked)?.pointer).toBe('/daily_budget')
  expect(ceilingFault(new Map([['EUR', 9_999]]), asked)?.message).toContain('none in USD')
  expect(ceilingFault(null, asked)).toBeNull()
})
