/** What a plan says, in whatever form it is shown. Pure. */

import { apiName } from '../canonical.ts'
import { type Kind, kinds } from '../kinds.ts'
import type { Compared, Difference } from '../plan/compare.ts'
import type { Drift, Drifts } from '../plan/drift.ts'
import type { Operation } from '../plan/operations.ts'
import type { Plan } from '../plan/plan.ts'
import type { Problem, SpendDelta, Tried } from '../plan/trial.ts'
import type { Unnamed } from '../plan/unnamed.ts'
import type { Place } from '../source/placed.ts'

export const allowable = ['prune', 'many', 'guardrail'] as const
export type Allowable = (typeof allowable)[number]

export type ShownChange = Difference & { drift?: Drift }

export type ShownObject = {
  change: 'create' | 'update' | 'prune'
  kind: Kind
  key: string
  id: string | null
  changes: readonly ShownChange[]
  actions: readonly string[]
  notes: readonly string[]
  problems: readonly ShownProblem[]
}

export type ShownProblem = Partial<Place> & { code: string; message: string }

export type Report = {
  project: string
  counts: { create: number; update: number; prune: number; unchanged: number; left: number }
  objects: readonly ShownObject[]
  spend_delta: readonly SpendDelta[]
  approval: { required: boolean; approver_roles: readonly string[]; reasons: readonly string[] }
  /** Which `--allow` applying needs. */
  needs: readonly Allowable[]
  /** How many operations are in each change set, in the order in which they are applied. */
  change_sets: readonly { operations: number; tried: boolean }[]
  /** How many operations fail, those that are not shown included. */
  failed: number
}

export type Found = { plan: Plan; tried: readonly Tried[]; drifts: ReadonlyMap<string, Drifts> }

export function reportOf({ plan, tried, drifts }: Found): Report {
  const failures = failuresOf(tried)
  const objects = [
    ...plan.changed.map((each) => changedObject(each, { drifts, failures })),
    ...plan.unnamed.map((each) => unnamedObject(each, failures)),
  ].sort((one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind))
  const count = (change: ShownObject['change']) =>
    objects.filter((each) => each.change === change && !isNoteOnly(each)).length
  const changeSets = tried.flatMap(({ changeSet }) => changeSet ?? [])
  return {
    project: plan.project,
    counts: {
      ...{ create: count('create'), update: count('update'), prune: count('prune') },
      ...{ unchanged: plan.unchanged, left: plan.left },
    },
    objects,
    spend_delta: sumOf(changeSets.flatMap(({ spend_delta }) => spend_delta)),
    approval: {
      required: changeSets.some(({ approval }) => approval.required),
      approver_roles: changeSets.flatMap(({ approval }) => approval.approver_roles).filter(isFirst),
      reasons: changeSets.flatMap(({ approval }) => approval.reasons).filter(isFirst),
    },
    needs: needsOf(plan, failures),
    change_sets: tried.map(({ set, changeSet }) => ({
      operations: set.length,
      tried: changeSet !== null,
    })),
    failed: changeSets.reduce((sum, { summary }) => sum + (summary.failed ?? 0), 0),
  }
}

/** Something is said of it, and nothing is done. */
const isNoteOnly = ({ change, changes, actions, problems }: ShownObject): boolean =>
  change === 'update' && changes.length + actions.length + problems.length === 0

const isFirst = <Value>(value: Value, at: number, all: readonly Value[]) =>
  all.indexOf(value) === at

type Failure = { operation: Operation; problem: Problem }

const failuresOf = (tried: readonly Tried[]): Failure[] =>
  tried.flatMap(({ set, changeSet }) =>
    (changeSet?.failures ?? []).flatMap(({ index, problem }) => {
      const operation = set[index]
      return operation ? [{ operation, problem }] : []
    }),
  )

type Known = { drifts: ReadonlyMap<string, Drifts>; failures: readonly Failure[] }

function changedObject(compared: Compared, { drifts, failures }: Known): ShownObject {
  const { desired, live, differences, actions, notes, faults } = compared
  const { kind, key } = desired
  const known = drifts.get(live?.id ?? '')
  const changes = [...ofProject(compared), ...differences].map((each): ShownChange => {
    const drift = known?.get(each.field)
    return drift ? { ...each, drift } : each
  })
  const own = faults.map((message) => ({ ...desired.placeOf(), code: 'project', message }))
  const found = failures.filter(({ operation }) => isOf(operation, { kind, key }))
  return {
    ...{ change: live ? 'update' : 'create', kind, key, id: live?.id ?? null, changes, actions },
    notes,
    problems: [...own, ...found.flatMap((each) => problemsOf(each, compared))],
  }
}

/** The label of the project, where it is not there yet. */
function ofProject({ live, isAdopted, isRenamed, differences }: Compared): Difference[] {
  if (!live || !(isAdopted || isRenamed)) return []
  if (differences.some(({ field }) => field === 'labels')) return []
  return [{ field: 'labels', before: live.row.labels, after: null }]
}

const isOf = (operation: Operation, { kind, key }: { kind: Kind; key: string }) =>
  operation.kind === kind && operation.key === key

/** Each fault at the place of its field. */
function problemsOf({ problem }: Failure, { desired }: Compared): ShownProblem[] {
  const { code, detail, errors = [] } = problem
  if (errors.length === 0) return [{ ...desired.placeOf(), code, message: detail }]
  return errors.map(({ pointer = '', message }) => {
    const name = /(?:\/body)?\/([a-z_]+)/.exec(pointer.replace(/^\/operations\/\d+/, ''))?.[1] ?? ''
    const field = [...desired.values.keys()].find((each) => apiName(desired.kind, each) === name)
    const said = name === '' ? message : `${field ?? name} ${message}`
    return { ...desired.placeOf(field), code, message: said }
  })
}

function unnamedObject(
  { live, why, operations }: Unnamed,
  failures: readonly Failure[],
): ShownObject {
  const { kind, key, id, row } = live
  const sent = operations.map(({ sent }) => sent)
  const found = failures.filter(({ operation }) => isOf(operation, live))
  const changes = sent.flatMap(({ op, body = {} }) =>
    op === 'update'
      ? Object.entries(body).map(([field, after]) => ({ field, before: row[field], after }))
      : [],
  )
  return {
    ...{ change: why === 'pruned' ? 'prune' : 'update', kind, key, id, changes, notes: [] },
    actions: sent.flatMap(({ op, action }) => (op === 'delete' ? ['delete'] : (action ?? []))),
    problems: found.map(({ problem: { code, detail } }) => ({ code, message: detail })),
  }
}

const guardrailCode = 'guardrail_violation'

export const isBeyondGuardrails = ({ code }: { code: string }): boolean => code === guardrailCode

/** A project of so many objects of which more than this share changes is asked about. */
const many = { least: 10, share: 0.3 }

function needsOf(plan: Plan, failures: readonly Failure[]): Allowable[] {
  const changed = plan.changed.filter(
    ({ live, differences, actions }) => live !== null && differences.length + actions.length > 0,
  )
  const count = changed.length + plan.unnamed.length
  const isMany = plan.size >= many.least && count > plan.size * many.share
  return [
    ...(plan.unnamed.some(({ why }) => why === 'pruned') ? (['prune'] as const) : []),
    ...(isMany ? (['many'] as const) : []),
    ...(failures.some(({ problem }) => isBeyondGuardrails(problem))
      ? (['guardrail'] as const)
      : []),
  ]
}

/** By currency, over all change sets. */
function sumOf(deltas: readonly SpendDelta[]): SpendDelta[] {
  const sums = new Map<string, SpendDelta>()
  for (const each of deltas) {
    const { currency } = each
    const former = sums.get(currency)
    const added = former
      ? {
          ...each,
          daily_before_minor: former.daily_before_minor + each.daily_before_minor,
          daily_after_minor: former.daily_after_minor + each.daily_after_minor,
          lifetime_before_minor: former.lifetime_before_minor + each.lifetime_before_minor,
          lifetime_after_minor: former.lifetime_after_minor + each.lifetime_after_minor,
        }
      : each
    sums.set(currency, added)
  }
  return [...sums.values()]
}
