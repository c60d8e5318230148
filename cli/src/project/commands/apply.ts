import type { Command } from 'commander'
import { clientOf } from '../../account/session.ts'
import { Moved, UsageError } from '../../faults.ts'
import { count } from '../../output/count.ts'
import { confirm } from '../../terminal.ts'
import { doneText, type Performing, perform } from '../apply/perform.ts'
import { type PlanFile, readPlanFile } from '../apply/plan-file.ts'
import { needsOf, stored } from '../apply/proposal.ts'
import { type Options, type Plan, planOf } from '../plan/plan.ts'
import type { ChangeSet } from '../plan/trial.ts'
import type { Allowable } from '../show/report.ts'
import { spendLines } from '../show/words.ts'
import { projectAt } from '../source/project.ts'
import type { Project } from '../source/read.ts'
import {
  allowedIn,
  exitCodeOf,
  type Given,
  optionsIn,
  overrideIn,
  print,
  reported,
} from './plan.ts'

export type ApplyGiven = Given & { yes?: boolean; json?: boolean }

type Applying = Performing & { given: ApplyGiven; command: Command }

/** Applies files, a plan in a file, or a change set by its id. */
export async function apply(
  command: Command,
  what: readonly string[],
  given: ApplyGiven,
): Promise<void> {
  const options = optionsIn(given)
  allowedIn(given)
  const [first = ''] = what
  const file = what.length === 1 ? await readPlanFile(first) : null
  const isId = what.length === 1 && /^chs_\w{26}$/.test(first)
  const project = file || isId ? null : await projectAt(what)
  const { client, url } = await clientOf(command)
  const on: Applying = {
    client,
    url,
    command,
    given,
    reason: given.reason,
    override: overrideIn(given),
  }
  if (file) await applyPlan(file, on)
  else if (project) await applyFiles(project, options, on)
  else await applyStored([{ id: first }], on)
}

async function applyPlan({ service, change_sets, needs }: PlanFile, on: Applying): Promise<void> {
  if (service !== on.url) throw new UsageError(`The plan is for ${service}, not for ${on.url}.`)
  checkAllowed(needs, on.given)
  await applyStored(change_sets, on)
}

/** Change sets that are stored: all of them are looked at before the first is applied. */
async function applyStored(
  wanted: readonly { id: string; tried_at?: string }[],
  on: Applying,
): Promise<void> {
  const { client, given } = on
  const found: ChangeSet[] = []
  for (const { id, tried_at } of wanted) {
    const changeSet = await client.request<ChangeSet>('GET', `/change_sets/${id}`)
    const isOther = tried_at !== undefined && tried_at !== changeSet.tried_at
    if (isOther)
      throw new Moved(`${id} was tried again since it was planned: look at it, and plan again.`)
    checkAllowed(needsOf(changeSet), given)
    found.push(changeSet)
  }
  const open = found.filter(({ status }) => status !== 'applied')
  if (open.length > 0 && !given.json) for (const each of open) process.stdout.write(aboutText(each))
  if (open.some(({ approval, status }) => !approval.required || status === 'approved')) {
    await ask(
      open.reduce((sum, each) => sum + each.operation_count, 0),
      given,
    )
  }
  const done: ChangeSet[] = []
  for (const changeSet of found) {
    const { changeSet: after, waits } = await perform(changeSet, on)
    done.push(after)
    if (waits) return finish(done, { given, waits })
    if (!given.json) process.stdout.write(`${doneText(after)}\n`)
  }
  finish(done, { given, waits: false })
}

function aboutText({ id, title, spend_delta }: ChangeSet): string {
  return [`${id}: ${title}`, ...spendLines({ spend_delta })].map((line) => `${line}\n`).join('')
}

/** Plans, shows it, asks, and applies one change set after another. */
async function applyFiles(project: Project, options: Options, on: Applying): Promise<void> {
  const { client, given, override } = on
  const first = await planOf(client, project, options)
  const report = await reported(client, first, override)
  if (!given.json) await print(report, {})
  const code = exitCodeOf(report, first)
  if (code === 1 || code === 6) {
    process.exitCode = code
    return
  }
  if (first.sets.length === 0) return finish([], { given, waits: false })
  checkAllowed(report.needs, given)
  await ask(first.sets.flat().length, given)
  const shown = new Set(first.sets.flat().map(nameOfOperation))
  const done: ChangeSet[] = []
  for (let plan = first; plan.sets.length > 0; plan = await planOf(client, project, options)) {
    checkShown(plan, shown)
    const proposed = await stored(client, plan, { at: 0, needs: report.needs, override })
    const { changeSet, waits } = await perform(proposed, on)
    done.push(changeSet)
    if (waits) return finish(done, { given, waits })
    if (!given.json) process.stdout.write(`${doneText(changeSet)}\n`)
    if (plan.sets.length === 1) break
  }
  finish(done, { given, waits: false })
}

const nameOfOperation = ({ kind, key, sent: { op, action } }: Plan['sets'][number][number]) =>
  `${op} ${action ?? ''} ${kind} ${key}`

/** What follows the first change set is what was agreed to, or less. */
function checkShown(plan: Plan, shown: ReadonlySet<string>): void {
  const other = plan.sets.flat().find((operation) => !shown.has(nameOfOperation(operation)))
  if (!other) return
  throw new Moved(`${other.kind} ${other.key} has moved since the plan was shown: apply again.`)
}

function checkAllowed(needs: readonly Allowable[], given: ApplyGiven): void {
  const allowed = allowedIn(given)
  const missing = needs.filter((each) => !allowed.has(each))
  if (missing.length > 0) throw new UsageError(`It needs --allow ${missing.join(',')}.`)
}

async function ask(operations: number, { yes }: ApplyGiven): Promise<void> {
  if (!yes) await confirm(`Apply ${count(operations, 'operation')}?`)
}

type Ending = { given: ApplyGiven; waits: boolean }

function finish(done: readonly ChangeSet[], { given, waits }: Ending): void {
  if (given.json) process.stdout.write(`${JSON.stringify({ change_sets: done }, null, 2)}\n`)
  if (waits) process.exitCode = 5
}
