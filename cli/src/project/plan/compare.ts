/** Compares what files want with what is there. Pure. */

import { isSame } from '../canonical.ts'
import type { Desired } from '../desired.ts'
import { isIdOf } from '../kinds.ts'
import { type Live, type Names, valueOfLive } from '../live/object.ts'
import { digestOf } from '../ownership.ts'
import type { Matched } from './match.ts'
import { type Transition, wayTo } from './states.ts'

/** A field that a file wants otherwise; `released`: one that no file names any more. */
export type Difference = {
  field: string
  before: unknown
  after: unknown
  isReleased?: true
}

export type Compared = {
  desired: Desired
  live: Live | null
  differences: readonly Difference[]
  actions: readonly string[]
  /** Taken into the project: it had no label of a project, or that of another. */
  isAdopted: boolean
  /** The former project, where it is renamed. */
  isRenamed: boolean
  /** Changed by others since it was applied, as far as owned fields go. */
  hasDrifted: boolean
  /** Why something of it is left alone. */
  notes: readonly string[]
  /** Why it cannot become what the file wants. */
  faults: readonly string[]
}

export type Comparing = {
  project: string
  renamedFrom: string | null
  adopts: boolean
  names: Names
  transitions: readonly Transition[]
}

export function compare({ desired, live }: Matched, on: Comparing): Compared {
  const state = stateOf({ desired, live }, on)
  const differences = live ? differencesOf(desired, live, { on, state }) : newFields(desired)
  return {
    desired,
    live,
    differences,
    actions: state.actions,
    isAdopted: live !== null && !isOurs(live, on),
    isRenamed: live?.projects.includes(on.renamedFrom ?? '') ?? false,
    hasDrifted: live !== null && hasDrifted(live, on.names),
    notes: state.notes,
    faults: [...state.faults, ...foreign(live, on), ...missing(desired, live)],
  }
}

const isOurs = ({ projects }: Live, { project, renamedFrom }: Comparing): boolean =>
  projects.includes(project) || (renamedFrom !== null && projects.includes(renamedFrom))

function foreign(live: Live | null, { project, renamedFrom, adopts }: Comparing): string[] {
  const others = live?.projects.filter((each) => each !== project && each !== renamedFrom) ?? []
  return others.length === 0 || adopts
    ? []
    : [`belongs to the project ${others.join(', ')}: --adopt takes it over`]
}

/** An id is of something that is there: nothing is created by it. */
const missing = ({ kind, key }: Desired, live: Live | null): string[] =>
  live === null && isIdOf(kind, key) ? ['is not there'] : []

type State = { actions: readonly string[]; notes: string[]; faults: string[] }

function stateOf({ desired, live }: Matched, { transitions }: Comparing): State {
  const state = desired.values.get('state')
  const none = { actions: [], notes: [], faults: [] }
  if (typeof state !== 'string') return none
  const way = wayTo(state, live, transitions)
  if ('left' in way) return { ...none, notes: [`state is left alone: it ${way.left}`] }
  return 'blocked' in way
    ? { ...none, faults: [`state: ${way.blocked}`] }
    : { ...none, actions: way.actions }
}

const newFields = ({ key, values }: Desired): Difference[] => {
  const name = values.has('name') ? [] : [['name', key] as const]
  // Nothing, said of a field that the template has, is something.
  const saysNothing = (value: unknown) => isEmpty(value) && !values.has('template')
  return [...name, ...values]
    .filter(([field, value]) => !saysNothing(value) && !(field === 'state' && value === 'draft'))
    .map(([field, after]) => ({ field, before: null, after }))
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0)

type Comparison = { on: Comparing; state: State }

function differencesOf(desired: Desired, live: Live, { on, state }: Comparison): Difference[] {
  const changed = [...desired.values].flatMap(([field, after]) => {
    if (field === 'state' && state.notes.length > 0) return []
    const before = valueOfLive(live, field, on.names)
    return isSame(before, after) ? [] : [{ field, before, after }]
  })
  const released = (live.owned?.fields ?? [])
    .filter((field) => !desired.values.has(field))
    .map((field): Difference => {
      const value = valueOfLive(live, field, on.names)
      return { field, before: value, after: value, isReleased: true }
    })
  return [...changed, ...released]
}

/** Whether the owned fields have other values than those that were applied. */
function hasDrifted(live: Live, names: Names): boolean {
  if (!live.owned?.digest) return false
  const values = live.owned.fields.map((field) => [field, valueOfLive(live, field, names)] as const)
  return digestOf(new Map(values)) !== live.owned.digest
}
