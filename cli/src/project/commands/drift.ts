import type { Command } from 'commander'
import { clientOf } from '../../account/session.ts'
import { count } from '../../output/count.ts'
import { driftsOf, isDrifted, mostHistories } from '../plan/drift.ts'
import { planOf } from '../plan/plan.ts'
import { reportOf, type ShownObject } from '../show/report.ts'
import { driftText, titleOf, valueText } from '../show/words.ts'
import { projectAt } from '../source/project.ts'

/** Shows what others have changed since the files were applied. Exit code 3 if there is any. */
export async function showDrift(
  command: Command,
  paths: readonly string[],
  { json }: { json?: boolean },
): Promise<void> {
  const project = await projectAt(paths)
  const { client } = await clientOf(command)
  const options = { prunes: false, deletes: false, adopts: false, renamedFrom: null }
  const plan = await planOf(client, project, options)
  const drifts = await driftsOf(client, plan.project, plan.changed)
  const objects = reportOf({ plan, tried: [], drifts })
    .objects.map((each) => ({ ...each, changes: each.changes.filter(({ drift }) => drift) }))
    .filter(({ changes }) => changes.length > 0)
  const unread = Math.max(0, plan.changed.filter(isDrifted).length - mostHistories)
  const found = { project: plan.project, objects, unread }
  process.stdout.write(json ? `${JSON.stringify(found, null, 2)}\n` : textOf(found))
  if (objects.length > 0) process.exitCode = 3
}

/** `unread`: how many more have other values, whose histories were not read. */
type Found = { project: string; objects: readonly ShownObject[]; unread: number }

function textOf({ project, objects, unread }: Found): string {
  if (objects.length === 0) return `Project ${project}: no drift.\n`
  const rest = unread > 0 ? [`… and ${count(unread, 'object')} more`] : []
  return [...objects.flatMap(linesOf), ...rest].map((line) => `${line}\n`).join('')
}

const linesOf = (object: ShownObject): string[] => [
  `~ ${titleOf(object)}`,
  ...object.changes.flatMap(({ field, before, after, drift }) => [
    `    ${field}  ${valueText(before)}, in the files ${valueText(after)}`,
    ...(drift ? [`    ${driftText(drift)}`] : []),
  ]),
]
