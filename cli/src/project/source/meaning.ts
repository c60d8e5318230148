import { nearest } from '../../nearest.ts'
import { factsOf, isId, isIdOf, type Kind } from '../kinds.ts'
import { type Fault, type Member, membersOf, valueIn } from './placed.ts'
import type { Entry, Project } from './read.ts'

const mostLabels = 49

/** What is wrong with the objects of a project beyond the form of their fields. */
export function faultsOfMeaning({ defaults, entries }: Project): Fault[] {
  const keys = new Map<Kind, Set<string>>()
  for (const { kind, key } of entries) keys.set(kind, (keys.get(kind) ?? new Set()).add(key))
  return [
    ...zoneFaults(defaults),
    ...entries.flatMap((entry) => [
      ...keyFaults(entry),
      ...zoneFaults(entry.fields),
      ...labelFaults(entry, defaults),
      ...referencesIn(entry).flatMap((each) => referenceFaults(each, keys.get(each.kind))),
    ]),
  ]
}

/**
 * A key is the `external_id`, which the service stores as it is; or the id, of an object that has no
 * external id.
 */
function keyFaults({ kind, key, place }: Entry): Fault[] {
  if (isIdOf(kind, key)) return []
  if (isId(key)) return [{ place, message: `${key} is an id: give it a name of your own` }]
  const isKept = key.trim() === key && !/\p{Cc}/u.test(key)
  return isKept ? [] : [{ place, message: 'a name has no spaces around it, and no controls in it' }]
}

function zoneFaults(fields: ReadonlyMap<string, Member>): Fault[] {
  const value = fields.get('time_zone')?.value
  const zone = valueIn(value)
  if (!value || typeof zone !== 'string' || isZone(zone)) return []
  const known = Intl.supportedValuesOf('timeZone')
  const meant = nearest(zone, known)
  const hint = meant === undefined ? '' : `; do you mean ${meant}?`
  return [{ place: value.place, message: `"${zone}" is no time zone${hint}` }]
}

function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

function labelFaults({ fields }: Entry, defaults: ReadonlyMap<string, Member>): Fault[] {
  const own = fields.get('labels')?.value
  const all = [...listIn(own), ...listIn(defaults.get('labels')?.value)]
  const count = new Set(all).size
  if (!own || count <= mostLabels) return []
  return [{ place: own.place, message: `${count} labels with the defaults, at most ${mostLabels}` }]
}

function listIn(value: Member['value'] | undefined): unknown[] {
  const found = valueIn(value)
  return Array.isArray(found) ? found : []
}

type Reference = { kind: Kind; member: Member }

/** The fields that name another object. */
function referencesIn({ kind, fields }: Entry): Reference[] {
  const own = Object.entries(factsOf[kind].references).map(
    ([name, { kind }]) => [fields.get(name), kind] as const,
  )
  const profile = membersOf(fields.get('defaults')?.value).get('profile')
  return [...own, [profile, 'profile'] as const].flatMap(([member, kind]) =>
    member ? [{ kind, member }] : [],
  )
}

function referenceFaults({ kind, member }: Reference, keys = new Set<string>()): Fault[] {
  const name = valueIn(member.value)
  if (typeof name !== 'string' || keys.has(name) || isIdOf(kind, name)) return []
  const meant = nearest(name, [...keys])
  const hint = meant === undefined ? '' : `; do you mean ${meant}?`
  const what = `no ${kind} of the project, nor the id of one (${factsOf[kind].prefix}_…)`
  return [{ place: member.value.place, message: `"${name}" is ${what}${hint}` }]
}
