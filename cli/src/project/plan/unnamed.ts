/** Objects of the project that no file names: what becomes of them. Pure. */

import { type Kind, kinds } from '../kinds.ts'
import type { Live } from '../live/object.ts'
import { labelOf } from '../ownership.ts'
import { type Operation, phases } from './operations.ts'
import { type Transition, wayTo } from './states.ts'

/** Objects that no file names, and something is done about. */
export type Unnamed = { live: Live; why: 'pruned' | 'renamed'; operations: readonly Operation[] }

export type Handling = {
  project: string
  renamedFrom: string | null
  prunes: boolean
  deletes: boolean
  transitions: readonly Transition[]
}

/** What is archived already stays as it is, and what is not pruned moves with its project. */
export const unnamedOf = (left: readonly Live[], on: Handling): Unnamed[] =>
  left.flatMap((live): Unnamed[] => {
    const ended = on.prunes ? (on.deletes ? deletion(live) : ending(live, on)) : []
    if (ended.length > 0) return [{ live, why: 'pruned', operations: ended }]
    const isMoved = on.renamedFrom !== null && live.projects.includes(on.renamedFrom)
    return isMoved ? [{ live, why: 'renamed', operations: [moved(live, on)] }] : []
  })

function moved(live: Live, { project }: Handling): Operation {
  const { place, target } = own(live)
  const body = { labels: [...live.labels, labelOf(project)] }
  const phase = live.kind === 'campaign' ? phases.changing : phases[live.kind]
  return { ...place, phase, sent: { op: 'update', ...target, body } }
}

const own = ({ kind, key, id, row }: Live) => ({
  place: { kind, key },
  target: { resource: kind, id, version: row.version },
})

/** Deletions come last, those that others depend on after them. */
const phaseOfDeletion = (kind: Kind): number =>
  phases.ending + 1 + kinds.length - kinds.indexOf(kind)

function deletion(live: Live): Operation[] {
  const { place, target } = own(live)
  const runs = live.kind === 'campaign' && ['scheduled', 'active'].includes(String(live.row.status))
  const sent = { op: 'delete' as const, ...target }
  return [
    ...(runs ? actions(live, ['pause']) : []),
    { ...place, phase: phaseOfDeletion(live.kind), sent },
  ]
}

/** What takes an object of each kind out of use; a template is never in it. */
const unused: Readonly<Record<Exclude<Kind, 'campaign'>, readonly [string, unknown] | null>> = {
  client: ['status', 'archived'],
  profile: ['status', 'archived'],
  proxy: ['enabled', false],
  template: null,
}

function ending(live: Live, { transitions }: Handling): Operation[] {
  if (live.kind === 'campaign') {
    const way = wayTo('archived', live, transitions)
    return 'actions' in way ? actions(live, way.actions) : []
  }
  const [field, value] = unused[live.kind] ?? []
  if (field === undefined || live.row[field] === value) return []
  const { place, target } = own(live)
  const sent = { op: 'update' as const, ...target, body: { [field]: value } }
  return [{ ...place, phase: phases.ending, sent }]
}

function actions(live: Live, names: readonly string[]): Operation[] {
  const { place, target } = own(live)
  return names.map((action) => ({
    ...place,
    phase: phases.lowering,
    sent: { op: 'action', ...target, action },
  }))
}
