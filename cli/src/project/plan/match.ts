/** Finds the object of the service that each wanted object is. Pure. */

import { type Desired, nameOfObject } from '../desired.ts'
import type { Live, Names } from '../live/object.ts'

export type Matched = { desired: Desired; live: Live | null }

export type Matching = {
  matched: readonly Matched[]
  /** Objects of the project that no file names. */
  left: readonly Live[]
  /** The names of matched objects by id. */
  names: Names
}

export function match(desired: readonly Desired[], live: readonly Live[]): Matching {
  const byName = new Map(
    live.flatMap((each) => [
      [nameOfObject(each), each] as const,
      [nameOfObject({ kind: each.kind, key: each.id }), each] as const,
    ]),
  )
  const matched = desired.map((each) => ({
    desired: each,
    live: byName.get(nameOfObject(each)) ?? null,
  }))
  const wanted = new Set(desired.map(nameOfObject))
  const names = matched.flatMap(({ desired, live }) =>
    live ? [[live.id, desired.key] as const] : [],
  )
  return {
    matched: matched.map((each) => named(each, new Map(names))),
    left: live.filter(
      (each) => !wanted.has(nameOfObject(each)) && !wanted.has(`${each.kind} ${each.id}`),
    ),
    names: new Map(names),
  }
}

/** With the names of objects in place of their ids, as values of the service have them. */
function named({ desired, live }: Matched, names: Names): Matched {
  const values = [...desired.values].map(([field, value]) => {
    if (typeof value === 'string') return [field, names.get(value) ?? value] as const
    const isDefaults = desired.kind === 'template' && field === 'defaults'
    return [field, isDefaults ? namedIn(value, names) : value] as const
  })
  return { desired: { ...desired, values: new Map(values) }, live }
}

function namedIn(defaults: unknown, names: Names): unknown {
  const { profile } = defaults as { profile?: string }
  return profile === undefined
    ? defaults
    : { ...(defaults as object), profile: names.get(profile) ?? profile }
}
