/** Objects of the service as files have them. Pure. */

import type { Kind } from '../kinds.ts'
import { type Live, type Names, ownMetadata, valueOfLive } from '../live/object.ts'

/** What the schema of files has of each kind, in its order. */
export type FieldsOf = Readonly<Record<Kind, readonly string[]>>

type Values = Map<string, unknown>

/**
 * The fields that the project owns, where it says which; else all that say something. A plan of what
 * is written changes nothing.
 */
export function valuesToWrite(live: Live, names: Names, fields: FieldsOf): Values {
  const known = fields[live.kind].filter((each) => each !== 'metadata')
  const owned = live.owned?.fields
  const chosen = owned ? known.filter((each) => owned.includes(each)) : known
  const values: Values = new Map()
  for (const field of chosen) {
    const value = valueOfLive(live, field, names)
    if (isWritten(field, value, owned !== undefined)) values.set(field, written(field, value))
  }
  const metadata = metadataOf(live, owned)
  if (metadata.size > 0) values.set('metadata', metadata)
  return values
}

const states = ['draft', 'active', 'paused', 'completed', 'archived']

function isWritten(field: string, value: unknown, isOwned: boolean): boolean {
  if (field === 'state') return states.includes(String(value))
  if (isOwned) return true
  const isEmpty = Array.isArray(value) ? value.length === 0 : value === null
  return !isEmpty && !isEmptyObject(value)
}

const isEmptyObject = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const mostMembers = 40

function metadataOf(live: Live, owned: readonly string[] | undefined): Map<string, string | null> {
  const has = new Map(ownMetadata(live))
  if (!owned) return new Map([...has].slice(0, mostMembers))
  const names = owned.filter((each) => each.startsWith('metadata.')).map((each) => each.slice(9))
  return new Map(names.map((name) => [name, has.get(name) ?? null]))
}

const amounts = /^(daily_budget|lifetime_budget|daily_budget_cap|monthly_spend_cap|value)$/

/** Amounts as numbers, hours of several days together, and the same below. */
function written(field: string, value: unknown): unknown {
  if (field === 'schedule') return windowsWritten(value as Window[])
  if (amounts.test(field) && typeof value === 'string') return numberIn(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return new Map(Object.entries(value).map(([name, each]) => [name, written(name, each)]))
}

/** A number where that is exact, else its text. */
const numberIn = (text: string): number | string =>
  String(Number(text)) === text ? Number(text) : text

type Window = { day: string; start: string; end: string }

function windowsWritten(windows: readonly Window[]): Map<string, unknown>[] {
  const days = new Map<string, string[]>()
  for (const { day, start, end } of windows) {
    days.set(`${start} ${end}`, [...(days.get(`${start} ${end}`) ?? []), day])
  }
  return [...days].map(([hours, names]) => {
    const [start, end] = hours.split(' ')
    const day = names.length === 1 ? names[0] : names
    return new Map<string, unknown>(Object.entries({ day, start, end }))
  })
}
