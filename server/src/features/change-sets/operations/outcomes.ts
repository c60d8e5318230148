/** Compares what an operation does with what its trial found. Pure. */

import { isDeepStrictEqual } from 'node:util'
import type { NetworkCheck } from '../../../database/tables/deployment-columns.ts'
import type { Changes } from '../../../database/tables/json-columns.ts'
import type { Warning } from '../../../kernel/context.ts'
import type { Problem } from '../../../problems/problem.ts'
import type { Operation } from './read.ts'
import { referenceFields, withMembers } from './refs.ts'
import type { Effect } from './schema.ts'

/** The outcome of running an operation. */
export type OperationOutcome = {
  readonly operation: Operation
  readonly effect: Effect
  /** The object, also one that was created. */
  readonly id: string | null
  readonly name: string | null
  /** The object's version before the change set; null for a creation or a missing object. */
  readonly versionSeen: number | null
  /** After the operation; null if the object is gone. */
  readonly version: number | null
  readonly status: number
  readonly changes: Changes
  readonly warnings: readonly Warning[]
  /** As it is shown, and as it was thrown. */
  readonly problem: Problem | null
  readonly cause: Problem | null
  /** The deployment that it leaves, for its network to judge. */
  readonly networkCheck?: NetworkCheck
}

/** The changes that the trial found; nothing else may be applied. */
export type Expected = { changes: Changes; effect: Effect }

/** Times and people of the act itself: a trial cannot know them. */
const ofTheAct = new Set([
  'launched_at',
  'completed_at',
  'archived_at',
  'review',
  'approved',
  'status_change',
])

export const withoutAct = (changes: Changes): Changes =>
  changes.filter(({ field }) => !ofTheAct.has(field))

/** Health of proxies, which is no part of their version. */
const ofHealth = new Set(['status', 'last_check'])

/** Changes with `@<ref>` in place of ids that exist only once it is applied. */
export function withRefs(changes: Changes, refs: ReadonlyMap<string, string>): Changes {
  const named = (value: string) => refs.get(value) ?? value
  const shown = (field: string, value: unknown) => {
    if (field === 'defaults') return withMembers(value, named)
    return referenceFields.includes(field) && typeof value === 'string' ? named(value) : value
  }
  return changes.map((change) => ({
    ...change,
    before: shown(change.field, change.before),
    after: shown(change.field, change.after),
  }))
}

type Said = Pick<Operation, 'resource'> & { changes: Changes }

/** Whether two runs of an operation did the same, field by field. */
export const isSame = (one: Said, other: Said): boolean =>
  isDeepStrictEqual(compared(one), compared(other))

const compared = ({ resource, changes }: Said): Map<string, unknown> =>
  new Map(
    changes
      .filter(({ field }) => resource !== 'proxy' || !ofHealth.has(field))
      .map(({ field, before, after }) => [field, [before, after]]),
  )

export const isFailed = ({ effect }: Pick<OperationOutcome, 'effect'>): boolean =>
  effect === 'failed'

/** Each operation counts once. */
export function summaryOf(outcomes: readonly Pick<OperationOutcome, 'effect'>[]) {
  const summary = { create: 0, update: 0, action: 0, delete: 0, unchanged: 0, failed: 0 }
  for (const { effect } of outcomes) summary[effect] += 1
  return summary
}
