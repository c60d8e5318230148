import type { Status } from './transitions.ts'

const fieldsByFreedom = {
  /** Annotations: editable except in archived. */
  notes: ['labels', 'metadata', 'notes'],
  identity: ['name', 'external_id'],
  plan: ['daily_budget', 'lifetime_budget', 'schedule', 'end_at', 'target'],
  /** Until that time has passed. */
  start: ['start_at'],
  foundation: ['objective', 'profile_id', 'currency', 'time_zone'],
} as const

const { notes, identity, plan, start, foundation } = fieldsByFreedom

/** Fields that can change in each status. */
export const editableIn: Record<Status, readonly string[]> = {
  draft: [...notes, ...identity, ...plan, ...start, ...foundation],
  pending_review: notes,
  scheduled: [...notes, ...identity, ...plan, ...start],
  active: [...notes, ...identity, ...plan],
  paused: [...notes, ...identity, ...plan, ...start],
  completed: notes,
  archived: [],
}
