/**
 * Reads the budgets and schedules of a campaign over time from its present and its history. Pure.
 */

import { type Difference, undo } from '../../../../schema/differences.ts'
import type { Status } from '../../lifecycle/transitions.ts'
import type { Schedule } from '../../schedule/dayparting.ts'

/** The fields that decide it. Before its creation a campaign has none. */
export type Bound = {
  status: Status | null
  daily_budget_minor: number | null
  schedule: Schedule | null
}

/** The state from an instant on, in milliseconds since the epoch, until the next step. */
export type PlanStep = {
  start: number
  isRunning: boolean
  dailyMinor: number | null
  schedule: Schedule
}

/** A change of the campaign, as the audit log has it. */
export type Recorded = { at: string; changes: readonly Difference<Bound>[] }

const runningIn: readonly (Status | null)[] = ['scheduled', 'active']
const overIn: readonly (Status | null)[] = ['completed', 'archived']

/**
 * Every step, the first from the beginning of time. `records` are newest first, as far back as is
 * of interest.
 */
export function recordedSteps(present: Bound, records: readonly Recorded[]): PlanStep[] {
  const fields: Partial<Bound> = { ...present }
  const steps: PlanStep[] = []
  for (const { at, changes } of records) {
    steps.push(stepFrom(Date.parse(at), fields))
    undo(fields, changes)
  }
  steps.push(stepFrom(Number.NEGATIVE_INFINITY, fields))
  return steps.reverse()
}

/**
 * From `now` on, a campaign counts as running unless it is over: what a paused one has left is
 * assessed as if it went on at once.
 */
export function resumedSteps(
  steps: readonly PlanStep[],
  status: Bound['status'],
  now: number,
): readonly PlanStep[] {
  const last = steps.at(-1)
  if (!last || last.isRunning || overIn.includes(status)) return steps
  return [...steps, { ...last, start: now, isRunning: true }]
}

/** Every step, with what a paused campaign has left. */
export const stepsOf = (
  present: Bound,
  records: readonly Recorded[],
  now: number,
): readonly PlanStep[] => resumedSteps(recordedSteps(present, records), present.status, now)

const stepFrom = (start: number, fields: Partial<Bound>): PlanStep => ({
  start,
  isRunning: runningIn.includes(fields.status ?? null),
  dailyMinor: fields.daily_budget_minor ?? null,
  schedule: fields.schedule ?? [],
})
