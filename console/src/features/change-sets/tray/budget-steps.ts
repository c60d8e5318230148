import type { ChangeSet, ChangeSetOperation } from '../queries.ts'

/** A change set that the clock is still to apply or to set back, and what it does to the campaign. */
export type Waiting = { changeSet: ChangeSet; operations: readonly ChangeSetOperation[] }

/** The daily budget of a campaign from a time on, in ms and minor units; 0 once it does not run. */
export type BudgetStep = { at: number; dailyMinor: number }

/** Changes that are scheduled for the daily budget of a campaign. */
export type ScheduledBudget = {
  /** In order of time. */
  steps: readonly BudgetStep[]
  /** False where something else is scheduled that changes what is spent. */
  isAll: boolean
}

const stops = new Set(['pause', 'complete', 'archive'])

const otherSpending = new Set([
  'currency',
  'lifetime_budget_minor',
  'start_at',
  'end_at',
  'time_zone',
  'schedule',
  'profile_id',
])

/** Each step of change sets that wait, as the clock is to make it. */
export function scheduledBudget(
  waiting: readonly Waiting[],
  dailyMinor: number | null,
): ScheduledBudget {
  if (dailyMinor === null) return { steps: [], isAll: waiting.length === 0 }
  const parts = waiting.flatMap(({ changeSet, operations }) =>
    operations.map((operation) => stepsOf(changeSet, operation, dailyMinor)),
  )
  return {
    steps: parts.flatMap(({ steps }) => steps).sort((one, other) => one.at - other.at),
    isAll: parts.every(({ isAll }) => isAll),
  }
}

function stepsOf(
  { status, apply_at, revert_at }: Waiting['changeSet'],
  { op, action, changes }: Waiting['operations'][number],
  dailyMinor: number,
): ScheduledBudget {
  const budget = changes.find(({ field }) => field === 'daily_budget_minor')
  const isStop = action !== null && stops.has(action)
  const isAll =
    isStop || (op === 'update' && !changes.some(({ field }) => otherSpending.has(field)))
  if (!isStop && !budget) return { steps: [], isAll }
  const applied = isStop ? 0 : minorOf(budget?.after)
  const back = isStop ? dailyMinor : minorOf(budget?.before)
  return {
    isAll,
    steps: [
      ...(status === 'scheduled' && apply_at !== null ? step(apply_at, applied) : []),
      ...(revert_at !== null ? step(revert_at, back) : []),
    ],
  }
}

const step = (time: string, dailyMinor: number | null): readonly BudgetStep[] =>
  dailyMinor === null ? [] : [{ at: Date.parse(time), dailyMinor }]

const minorOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)
