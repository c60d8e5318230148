import type { Scope } from '../tables/json-columns.ts'

export type { Scope }

export const scopeMembers = ['client_ids', 'profile_ids', 'labels'] as const

/** The scope of what both show: at most what either does. */
export function narrower(one: Scope | null, other: Scope | null): Scope | null {
  if (!one || !other) return one ?? other
  return Object.fromEntries(
    scopeMembers.flatMap((member) => {
      const items = common(one[member], other[member])
      return items ? [[member, items]] : []
    }),
  )
}

function common(one: readonly string[] | undefined, other: readonly string[] | undefined) {
  if (!one || !other) return one ?? other
  return one.filter((each) => other.includes(each))
}

/** The same text for scopes that show the same, whatever their order. */
export const scopeText = (scope: Scope): string =>
  JSON.stringify(scopeMembers.map((member) => scope[member]?.toSorted()))
