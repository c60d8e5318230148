import { styleText } from 'node:util'
import { count } from '../../output/count.ts'
import type { Report, ShownObject, ShownProblem } from './report.ts'
import {
  approvalText,
  changeText,
  countsText,
  driftText,
  restText,
  signs,
  spendLines,
  titleOf,
} from './words.ts'

const colors = { create: 'green', update: 'yellow', prune: 'red' } as const

/** A plan for a terminal; without colours in a pipe. */
export function textOf(report: Report): string {
  const { project, counts, objects } = report
  const lines = [
    ...objects.flatMap(linesOf),
    `Project ${project}: ${countsText(counts)}.`,
    ...summaryLines(report),
    restText(counts),
  ]
  return `${lines.join('\n')}\n`
}

function linesOf(object: ShownObject): string[] {
  const { change, changes, actions, notes, problems } = object
  const width = Math.max(...changes.map(({ field }) => field.length), 0)
  const sign = styleText(colors[change], signs[change], { stream: process.stdout })
  return [
    `${sign} ${titleOf(object)}`,
    ...changes.flatMap((each) => [
      `    ${each.field.padEnd(width)}  ${changeText(each, change === 'create')}`,
      ...(each.drift ? [`    ${' '.repeat(width)}  ${driftText(each.drift)}`] : []),
    ]),
    ...(actions.length > 0 ? [`    → ${actions.join(', ')}`] : []),
    ...notes.map((note) => `    ${note}`),
    ...problems.map((problem) => `    ! ${problemText(problem)}`),
  ]
}

export function problemText({ file, line, column, message, code }: ShownProblem): string {
  const place = file === undefined ? '' : `${file}:${line}:${column} `
  return `${place}${message} (${code})`
}

/** What is said of the plan as a whole. */
function summaryLines(report: Report): string[] {
  const { approval, needs, change_sets: sets, failed } = report
  const shown = report.objects.reduce((sum, { problems }) => sum + problems.length, 0)
  return [
    ...spendLines(report),
    ...(approval.required ? [approvalText(approval)] : []),
    ...(needs.length > 0 ? [`Applying needs --allow ${needs.join(',')}.`] : []),
    ...(sets.length > 1
      ? [`It takes ${sets.length} change sets: ${sets.map(setText).join(', then ')}.`]
      : []),
    ...(failed > shown ? [`${count(failed, 'operation')} fail; the first are shown.`] : []),
  ]
}

const setText = ({ operations, tried }: Report['change_sets'][number]) =>
  `${operations}${tried ? '' : ' (tried once those before are applied)'}`
