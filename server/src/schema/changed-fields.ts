import { isDeepStrictEqual } from 'node:util'
import { type Fault, fault } from '../problems/problem.ts'

/** Faults for read-only fields in a PUT or PATCH: accepted if unchanged, refused if changed. */
export function changedReadOnly(
  current: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
  readOnly: readonly string[],
): Fault[] {
  return readOnly
    .filter((field) => field in body && !isDeepStrictEqual(body[field], current[field]))
    .map((field) => fault(`/${field}`, 'read_only_field', 'is set by the service only'))
}

/** The fields of `after` that differ from `before`. */
export function changedFields<T extends object>(
  before: T,
  after: Partial<T>,
): (keyof T & string)[] {
  const fields = Object.keys(after) as (keyof T & string)[]
  return fields.filter((field) => !isDeepStrictEqual(before[field], after[field]))
}
