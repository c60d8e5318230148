import { expect, test } from 'vitest'
import { scheduledBudget, type Waiting } from './budget-steps.ts'

const times = { apply_at: '2026-11-27T00:00:00Z', revert_at: '2026-11-30T00:00:00Z' }
const [apply, revert] = [Date.parse(times.apply_at), Date.parse(times.revert_at)]

type Edit = Partial<Waiting['operations'][number]>

const waiting = (edit: Edit, changeSet: Partial<Waiting['changeSet']> = {}): Waiting => ({
  changeSet: { status: 'scheduled', ...times, ...changeSet } as Waiting['changeSet'],
  operations: [
    { op: 'update', action: null, changes: [], ...edit } as Waiting['operations'][number],
  ],
})

const raise = { changes: [{ field: 'daily_budget_minor', before: 8_000, after: 12_000 }] }

test('a budget for some days has a step there and one back', () => {
  expect(scheduledBudget([waiting(raise)], 8_000)).toEqual({
    isAll: true,
    steps: [
      { at: apply, dailyMinor: 12_000 },
      { at: revert, dailyMinor: 8_000 },
    ],
  })
})

test('what is applied has only its way back left', () => {
  expect(scheduledBudget([waiting(raise, { status: 'applied' })], 12_000).steps).toEqual([
    { at: revert, dailyMinor: 8_000 },
  ])
})

test('a pause spends nothing until it is set back', () => {
  expect(scheduledBudget([waiting({ op: 'action', action: 'pause' })], 8_000)).toEqual({
    isAll: true,
    steps: [
      { at: apply, dailyMinor: 0 },
      { at: revert, dailyMinor: 8_000 },
    ],
  })
})

test('steps of several change sets come in the order of their times', () => {
  const later = waiting(raise, { apply_at: '2026-11-28T00:00:00Z', revert_at: null })
  const steps = scheduledBudget([later, waiting(raise)], 8_000).steps
  expect(steps.map(({ at }) => at)).toEqual([apply, Date.parse('2026-11-28T00:00:00Z'), revert])
})

test('other changes of what is spent are said to be missing, those of words are not', () => {
  const changed = (field: string) => waiting({ changes: [{ field, before: null, after: 'x' }] })
  expect(scheduledBudget([changed('end_at')], 8_000)).toEqual({ steps: [], isAll: false })
  expect(scheduledBudget([changed('notes')], 8_000)).toEqual({ steps: [], isAll: true })
  expect(scheduledBudget([waiting({ op: 'action', action: 'resume' })], 8_000).isAll).toBe(false)
  expect(scheduledBudget([waiting(raise)], null)).toEqual({ steps: [], isAll: false })
  expect(scheduledBudget([], null)).toEqual({ steps: [], isAll: true })
})
