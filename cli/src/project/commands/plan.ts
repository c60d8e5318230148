import type { Flightdeck } from '@flightdeckhq/sdk'
import type { Command } from 'commander'
import { clientOf } from '../../account/session.ts'
import { UsageError } from '../../faults.ts'
import { driftsOf } from '../plan/drift.ts'
import { type Options, type Plan, planOf } from '../plan/plan.ts'
import { type ChangeSet, tryOut } from '../plan/trial.ts'
import {
  type Allowable,
  allowable,
  isBeyondGuardrails,
  type Report,
  reportOf,
} from '../show/report.ts'
import { projectAt } from '../source/project.ts'

/** The options that say what a plan may do. */
export type Given = {
  prune?: boolean
  delete?: boolean
  adopt?: boolean
  renameProject?: string
  allow?: readonly string[]
  reason?: string
}

export const optionsIn = (given: Given): Options => {
  if (given.delete && !given.prune) throw new UsageError('--delete goes with --prune.')
  return {
    prunes: given.prune === true,
    deletes: given.delete === true,
    adopts: given.adopt === true,
    renamedFrom: given.renameProject ?? null,
  }
}

export function allowedIn({ allow = [] }: Given): ReadonlySet<Allowable> {
  const names = allow.flatMap((each) => each.split(','))
  const strange = names.find((name) => !allowable.some((each) => each === name))
  if (strange !== undefined) {
    throw new UsageError(`--allow is ${allowable.join(', ')}, not "${strange}".`)
  }
  return new Set(names as Allowable[])
}

/** The reason by which guardrails are overridden, where that is allowed. */
export const overrideIn = (given: Given): string | undefined =>
  allowedIn(given).has('guardrail')
    ? (given.reason ?? 'flightdeck apply --allow guardrail')
    : undefined

type PlanGiven = Given & { json?: boolean; markdown?: boolean; out?: string }

/**
 * Shows what applying the files would do. Nothing is written, but with `--out` the change sets are
 * stored, to be applied later. Exit code 3 for differences.
 */
export async function showPlan(
  command: Command,
  paths: readonly string[],
  given: PlanGiven,
): Promise<void> {
  const options = optionsIn(given)
  const override = overrideIn(given)
  const project = await projectAt(paths)
  const { client, url } = await clientOf(command)
  const plan = await planOf(client, project, options)
  const report = await reported(client, plan, override)
  await print(report, given)
  const code = exitCodeOf(report, plan)
  if (given.out !== undefined && code === 3) {
    await store(given.out, { client, url, plan, report, override })
  }
  process.exitCode = code
}

/** What the service says of a plan, and who changed what it would change. */
export async function reported(
  client: Flightdeck,
  plan: Plan,
  override: string | undefined,
): Promise<Report> {
  const tried = await tryOut(client, plan, { override })
  const drifts = await driftsOf(client, plan.project, plan.changed)
  return reportOf({ plan, tried, drifts })
}

type Storing = {
  client: Flightdeck
  url: string
  plan: Plan
  report: Report
  override: string | undefined
}

async function store(
  path: string,
  { client, url, plan, report, override }: Storing,
): Promise<void> {
  if (report.change_sets.some(({ tried }) => !tried)) {
    throw new UsageError(
      'Its change sets depend on each other, so they cannot be stored: apply the files.',
    )
  }
  const { stored } = await import('../apply/proposal.ts')
  const { planFileOf, writePlanFile } = await import('../apply/plan-file.ts')
  const changeSets: ChangeSet[] = []
  for (const at of plan.sets.keys()) {
    changeSets.push(await stored(client, plan, { at, needs: report.needs, override }))
  }
  await writePlanFile(path, planFileOf({ plan, service: url, needs: report.needs, changeSets }))
  const ids = changeSets.map(({ id }) => id).join(', ')
  process.stderr.write(`Stored ${ids}: flightdeck apply ${path}\n`)
}

export async function print(report: Report, given: PlanGiven): Promise<void> {
  if (given.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  else if (given.markdown) {
    const { markdownOf } = await import('../show/markdown.ts')
    process.stdout.write(markdownOf(report))
  } else {
    const { textOf } = await import('../show/text.ts')
    process.stdout.write(textOf(report))
  }
}

/** 1 where it cannot be applied, 6 where it moved meanwhile, 3 where it changes something. */
export function exitCodeOf({ objects, failed }: Report, { sets }: Plan): number {
  const problems = objects.flatMap((each) => each.problems)
  if (problems.some(({ code }) => code === 'version_mismatch')) return 6
  const allowable = problems.filter(isBeyondGuardrails).length
  if (problems.length > allowable || failed > problems.length) return 1
  return sets.length > 0 ? 3 : 0
}
