/** The operations of a change set that make a project what its files want. Pure. */

import { apiName } from '../canonical.ts'
import type { Desired } from '../desired.ts'
import { factsOf, isIdOf, type Kind } from '../kinds.ts'
import { type Live, ownMetadata } from '../live/object.ts'
import { isProjectLabel, labelOf, recordOf } from '../ownership.ts'
import type { Compared } from './compare.ts'

/** An operation, the object that it is of, and when its turn is. */
export type Operation = {
  phase: number
  kind: Kind
  key: string
  /** As the API takes it. */
  sent: Sent
}

export type Sent = {
  op: 'create' | 'update' | 'action' | 'delete'
  resource: Kind
  id?: string
  version?: number
  ref?: string
  action?: string
  body?: Readonly<Record<string, unknown>>
}

/** The order in which operations run: what saves money before what costs it. */
export const phases = {
  ...{ client: 0, proxy: 1, profile: 2, template: 3 },
  ...{ lowering: 4, changing: 5, creating: 6, raising: 7, ending: 8 },
} as const

/** What later operations call an object that is created. */
export type Refs = ReadonlyMap<string, string>

export const refsOf = (compared: readonly Compared[]): Refs =>
  new Map(
    compared
      .filter(({ live }) => !live)
      .map(({ desired: { kind, key } }, at) => [`${kind} ${key}`, `${kind}.${at}`] as const),
  )

/** What stands for the objects that files name: ids, and refs of what is created. */
export type Targets = { project: string; refs: Refs; ids: ReadonlyMap<string, string> }

export function operationsFor(compared: Compared, targets: Targets): Operation[] {
  const { desired, live } = compared
  const { kind, key } = desired
  const own = { kind, key }
  const ref = targets.refs.get(`${kind} ${key}`)
  const target = live?.id ?? `@${ref}`
  const version = live ? { version: live.row.version } : {}
  const first = live ? updateOf(compared, live, targets) : creationOf(compared, targets)
  const actions = compared.actions.map((action) => ({
    ...own,
    phase: phaseOfAction(action, first !== null),
    sent: { op: 'action' as const, resource: kind, id: target, ...version, action },
  }))
  return inTurn(first, actions)
}

/** Nothing runs before what has to be done first. */
function inTurn(first: Operation | null, actions: readonly Operation[]): Operation[] {
  const isBefore = (action: string | undefined) => action === 'unarchive' || action === 'pause'
  let least = first?.sent.op === 'create' ? first.phase : 0
  const placed = actions.map((operation) => {
    least = Math.max(least, operation.phase)
    return { ...operation, phase: least }
  })
  if (!first || first.sent.op === 'create') return [...(first ? [first] : []), ...placed]
  const before = placed.filter(({ sent }, at) => at === 0 && isBefore(sent.action))
  return [...before, first, ...placed.slice(before.length)]
}

function phaseOfAction(action: string, hasChange: boolean): number {
  if (action === 'launch' || action === 'resume') return phases.raising
  if (action === 'complete' || action === 'archive') {
    return hasChange ? phases.ending : phases.lowering
  }
  return phases.lowering
}

function creationOf({ desired, differences }: Compared, targets: Targets): Operation {
  const { kind, key } = desired
  const labels = desired.values.get('labels') ?? []
  const body = {
    ...bodyOf(
      desired,
      differences.map(({ field }) => field),
      targets,
    ),
    external_id: key,
    name: desired.values.get('name') ?? key,
    labels: [...(labels as string[]), labelOf(targets.project)],
    metadata: { ...membersOf(desired), ...recordOf(desired.values) },
  }
  const ref = targets.refs.get(`${kind} ${key}`)
  const phase = kind === 'campaign' ? phases.creating : phases[kind]
  return { kind, key, phase, sent: { op: 'create', resource: kind, ...(ref && { ref }), body } }
}

const membersOf = ({ values }: Desired): Record<string, string> =>
  Object.fromEntries(
    [...values]
      .filter(([name, value]) => name.startsWith('metadata.') && value !== null)
      .map(([name, value]) => [name.slice('metadata.'.length), String(value)]),
  )

/** Sends what differs, and nothing else. */
function updateOf(compared: Compared, live: Live, targets: Targets): Operation | null {
  const { desired, differences, isAdopted, isRenamed } = compared
  const { kind, key } = desired
  if (differences.length === 0 && !isAdopted && !isRenamed) return null
  const fields = differences.filter(({ isReleased }) => !isReleased).map(({ field }) => field)
  const labels = labelsFor(compared, live, targets.project)
  const body = {
    ...bodyOf(desired, fields, targets),
    ...(labels && { labels }),
    metadata: metadataFor(desired, live),
  }
  return {
    ...{ kind, key, phase: phaseOfUpdate(compared) },
    sent: { op: 'update', resource: kind, id: live.id, version: live.row.version, body },
  }
}

/** The labels, where they or the project's change. */
function labelsFor({ desired, differences }: Compared, live: Live, project: string) {
  const own = desired.values.get('labels') ?? live.labels
  const isChanged = differences.some(({ field }) => field === 'labels')
  const isOurs = live.row.labels.filter(isProjectLabel).join() === labelOf(project)
  return isChanged || !isOurs ? [...(own as string[]), labelOf(project)] : null
}

function metadataFor(desired: Desired, live: Live): Record<string, string> {
  const kept = ownMetadata(live).filter(([name]) => !desired.values.has(`metadata.${name}`))
  return { ...Object.fromEntries(kept), ...membersOf(desired), ...recordOf(desired.values) }
}

/** Fields as the API takes them, but for labels and metadata. */
function bodyOf(desired: Desired, fields: readonly string[], targets: Targets) {
  const { kind, values } = desired
  const plain = fields.filter(
    (field) => field !== 'state' && field !== 'labels' && !field.startsWith('metadata.'),
  )
  return Object.fromEntries(
    plain.map((field) => {
      const value = values.get(field)
      const reference = factsOf[kind].references[field]
      if (reference) return [reference.field, targetOf(reference.kind, value, targets)]
      const isDefaults = kind === 'template' && field === 'defaults'
      return [apiName(kind, field), isDefaults ? defaultsOf(value, targets) : value]
    }),
  )
}

function defaultsOf(value: unknown, targets: Targets): unknown {
  const { profile, ...others } = (value ?? {}) as Record<string, unknown>
  return profile === undefined
    ? others
    : { ...others, profile_id: targetOf('profile', profile, targets) }
}

/** The id of an object that a file names, or the ref of one that is created. */
function targetOf(kind: Kind, value: unknown, { refs, ids }: Targets): unknown {
  if (typeof value !== 'string' || isIdOf(kind, value)) return value
  const ref = refs.get(`${kind} ${value}`)
  return ref === undefined ? ids.get(`${kind} ${value}`) : `@${ref}`
}

function phaseOfUpdate({ desired: { kind }, differences }: Compared): number {
  if (kind !== 'campaign') return phases[kind]
  const budgets = differences.filter(({ field }) => /^(daily|lifetime)_budget$/.test(field))
  if (budgets.length === 0) return phases.changing
  return budgets.every(isLower) ? phases.lowering : phases.raising
}

const isLower = ({ before, after }: { before: unknown; after: unknown }): boolean =>
  after !== null && (before === null || Number(after) < Number(before))
