import type { Scope } from '../../flightdeck.ts'

export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** A scope in words: how much it names, as the names are in its form. */
export function scopeText(scope: Scope | null): string {
  if (!scope) return 'Everything'
  const { client_ids, profile_ids, labels } = scope
  return [
    ...(client_ids ? [countOf(client_ids.length, 'client')] : []),
    ...(profile_ids ? [countOf(profile_ids.length, 'profile')] : []),
    ...(labels ? [`campaigns labelled ${labels.join(' or ')}`] : []),
  ].join(', ')
}
