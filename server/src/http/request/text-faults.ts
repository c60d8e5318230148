import { type Fault, fault, mostFaults } from '../../problems/problem.ts'
import { isObject } from './json.ts'
import { pointerToken } from './pointers.ts'

/** Texts and keys that PostgreSQL cannot store: those with the character NUL. */
export const textFaults = (value: unknown): Fault[] =>
  unstorable(value).map((pointer) =>
    fault(pointer, 'invalid_format', 'must not have the character U+0000'),
  )

/** Pointers are made only where there is something to tell. */
function unstorable(value: unknown): string[] {
  if (typeof value === 'string') return hasNul(value) ? [''] : []
  if (!isObject(value)) return []
  const found: string[] = []
  for (const key of Object.keys(value)) {
    const inner = hasNul(key) ? [''] : unstorable(value[key])
    if (inner.length > 0) found.push(...inner.map((rest) => `/${pointerToken(key)}${rest}`))
    if (found.length >= mostFaults) return found.slice(0, mostFaults)
  }
  return found
}

const hasNul = (text: string) => text.includes('\u0000')
