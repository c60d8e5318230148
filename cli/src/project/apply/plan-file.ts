import { readFile, rename, writeFile } from 'node:fs/promises'
import { isObject } from '../../api/read.ts'
import { UsageError } from '../../faults.ts'
import type { Plan } from '../plan/plan.ts'
import type { ChangeSet } from '../plan/trial.ts'
import { type Allowable, allowable } from '../show/report.ts'

/** A stored plan: which change sets to apply, and what they were tried on; no secrets, no bodies. */
export type PlanFile = {
  flightdeck_plan: 1
  project: string
  service: string
  needs: readonly Allowable[]
  change_sets: readonly { id: string; tried_at: string }[]
  /** The versions of the objects by id. */
  versions: Readonly<Record<string, number>>
}

type Made = {
  plan: Plan
  service: string
  needs: readonly Allowable[]
  changeSets: readonly ChangeSet[]
}

export function planFileOf({ plan, service, needs, changeSets }: Made): PlanFile {
  const operations = plan.sets.flat()
  const versions = operations.flatMap(({ sent: { id, version } }) =>
    id === undefined || version === undefined ? [] : [[id, version] as const],
  )
  return {
    flightdeck_plan: 1,
    project: plan.project,
    service,
    needs,
    change_sets: changeSets.map(({ id, tried_at }) => ({ id, tried_at })),
    versions: Object.fromEntries(versions),
  }
}

/** Whole or not at all. */
export async function writePlanFile(path: string, file: PlanFile): Promise<void> {
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(file, null, 2)}\n`)
  await rename(unfinished, path)
}

/** The plan in a file; null where the file is something else. */
export async function readPlanFile(path: string): Promise<PlanFile | null> {
  if (!path.endsWith('.json')) return null
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${path} cannot be read.`)
  })
  const read = parsedOrNull(text)
  if (!isObject(read) || !('flightdeck_plan' in read)) return null
  if (!isPlan(read)) throw new UsageError(`${path} is no plan that this version reads: plan again.`)
  return read
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isPlan = (read: Record<string, unknown>): read is PlanFile & Record<string, unknown> =>
  read.flightdeck_plan === 1 &&
  typeof read.project === 'string' &&
  typeof read.service === 'string' &&
  Array.isArray(read.needs) &&
  read.needs.every((each) => allowable.includes(each)) &&
  Array.isArray(read.change_sets) &&
  read.change_sets.every((each) => isObject(each) && /^chs_\w{26}$/.test(String(each.id)))
