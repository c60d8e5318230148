import { type Fault, fault } from '../../problems/fault.ts'
import { maxFaults } from '../../problems/problem.ts'
import { isObject } from './json.ts'
import { pointerToken } from './pointers.ts'

/** Faults for strings and keys that contain NUL, which PostgreSQL cannot store. */
export const textFaults = (value: unknown): Fault[] =>
  unstorable(value).map((pointer) =>
    fault(pointer, 'invalid_format', 'must not contain the character U+0000'),
  )

/** Builds pointers only if there is a fault. */
function unstorable(value: unknown): string[] {
  if (typeof value === 'string') return hasNul(value) ? [''] : []
  if (!isObject(value)) return []
  const found: string[] = []
  for (const key of Object.keys(value)) {
    const inner = hasNul(key) ? [''] : unstorable(value[key])
    if (inner.length > 0) found.push(...inner.map((rest) => `/${pointerToken(key)}${rest}`))
    if (found.length >= maxFaults) return found.slice(0, maxFaults)
  }
  return found
}

const hasNul = (text: string) => text.includes('\u0000')
