import type { Flightdeck } from '@flightdeckhq/sdk'
import { type Desired, desiredOf, nameOfObject } from '../desired.ts'
import { isIdOf, type Kind } from '../kinds.ts'
import { readByIds, readByKey, readProjects } from '../live/read.ts'
import type { Project } from '../source/read.ts'
import { type Compared, compare } from './compare.ts'
import { type Matching, match } from './match.ts'
import { type Operation, operationsFor, refsOf } from './operations.ts'
import { setsOf } from './sets.ts'
import type { Transition } from './states.ts'
import { type Unnamed, unnamedOf } from './unnamed.ts'

export type Options = {
  prunes: boolean
  deletes: boolean
  adopts: boolean
  renamedFrom: string | null
}

/** What has to be done for a project to be what its files want. */
export type Plan = {
  project: string
  /** Objects that something is done about, or that cannot become what is wanted. */
  changed: readonly Compared[]
  unnamed: readonly Unnamed[]
  /** How many are as their files want them. */
  unchanged: number
  /** How many objects of the project no file names, and nothing is done about. */
  left: number
  /** How many objects the project has. */
  size: number
  sets: readonly Operation[][]
}

/** Reads the project, and writes nothing. */
export async function planOf(
  client: Flightdeck,
  project: Project,
  options: Options,
): Promise<Plan> {
  const desired = desiredOf(project)
  const matching = await matchingOf(client, { desired, project: project.name, options })
  const transitions = asksActions(matching, options) ? await transitionsOf(client) : []
  return plan({ project: project.name, matching, options, transitions })
}

type Reading = { desired: readonly Desired[]; project: string; options: Options }

async function matchingOf(client: Flightdeck, reading: Reading): Promise<Matching> {
  const { desired, project, options } = reading
  const projects = [project, ...(options.renamedFrom === null ? [] : [options.renamedFrom])]
  const live = await readProjects(client, projects)
  const found = new Set(live.flatMap((each) => [nameOfObject(each), `${each.kind} ${each.id}`]))
  const missing = new Map<Kind, string[]>()
  for (const each of desired) {
    const { kind, key } = each
    if (!found.has(nameOfObject(each))) missing.set(kind, [...(missing.get(kind) ?? []), key])
  }
  const others = await Promise.all(
    [...missing].flatMap(([kind, keys]) => [
      readByKey(
        client,
        kind,
        keys.filter((key) => !isIdOf(kind, key)),
      ),
      readByIds(
        client,
        kind,
        keys.filter((key) => isIdOf(kind, key)),
      ),
    ]),
  )
  return match(desired, [...live, ...others.flat()])
}

/** Only where a state is to change: what the service says of it costs a request. */
function asksActions({ matched, left }: Matching, { prunes }: Options): boolean {
  const asked = matched.some(({ desired, live }) => {
    const state = desired.values.get('state')
    return state !== undefined && state !== (live ? live.row.status : 'draft')
  })
  return asked || (prunes && left.some(({ kind }) => kind === 'campaign'))
}

const transitionsOf = async (client: Flightdeck): Promise<readonly Transition[]> =>
  (await client.request<{ transitions: Transition[] }>('GET', '/reference/campaign_states'))
    .transitions

type Found = {
  project: string
  matching: Matching
  options: Options
  transitions: readonly Transition[]
}

function plan({ project, matching, options, transitions }: Found): Plan {
  const { matched, left, names } = matching
  const { renamedFrom, adopts, prunes, deletes } = options
  const on = { project, renamedFrom, adopts, names, transitions }
  const compared = matched.map((each) => compare(each, on))
  const changed = compared.filter(isChanged)
  const unnamed = unnamedOf(left, { project, renamedFrom, prunes, deletes, transitions })
  const ids = new Map(
    matched.flatMap(({ desired, live }) =>
      live ? [[nameOfObject(desired), live.id] as const] : [],
    ),
  )
  const targets = { project, refs: refsOf(changed), ids }
  const operations = changed
    .filter(({ faults }) => faults.length === 0)
    .flatMap((each) => operationsFor(each, targets))
  return {
    project,
    changed,
    unnamed,
    unchanged: compared.length - changed.length,
    left: left.length - unnamed.length,
    size: left.length + compared.filter(({ live }) => live !== null).length,
    sets: setsOf([...operations, ...unnamed.flatMap((each) => each.operations)]),
  }
}

const isChanged = ({ live, differences, actions, faults, isAdopted, isRenamed, notes }: Compared) =>
  live === null ||
  differences.length + actions.length + faults.length + notes.length > 0 ||
  isAdopted ||
  isRenamed
