/** Parts the operations of a plan into change sets. Pure. */

import { nameOfObject } from '../desired.ts'
import type { Operation } from './operations.ts'

/** As many operations as a change set takes. */
const mostOperations = 1_000

/** In the order in which they run, as few sets as they need. */
export function setsOf(operations: readonly Operation[]): Operation[][] {
  const sorted = operations.toSorted((one, other) => one.phase - other.phase)
  return Array.from({ length: Math.ceil(sorted.length / mostOperations) }, (_, at) =>
    sorted.slice(at * mostOperations, (at + 1) * mostOperations),
  )
}

/** Whether a set can be tried before those in front of it are applied. */
export function standsAlone(set: readonly Operation[], before: readonly Operation[]): boolean {
  const touched = new Set(before.map(nameOfObject))
  const made = new Set(before.flatMap(({ sent }) => (sent.ref ? [`@${sent.ref}`] : [])))
  return !set.some(
    (operation) =>
      touched.has(nameOfObject(operation)) ||
      Object.values({ id: operation.sent.id, ...operation.sent.body }).some(
        (value) => typeof value === 'string' && made.has(value),
      ),
  )
}
