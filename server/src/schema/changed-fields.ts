import { isDeepStrictEqual } from 'node:util'
import { type Fault, fault } from '../problems/fault.ts'
import { keysOf } from '../values/objects.ts'

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
export const changedFields = <After extends object>(
  before: { readonly [Field in keyof After]: unknown },
  after: After,
) => keysOf(after).filter((field) => !isDeepStrictEqual(before[field], after[field]))
