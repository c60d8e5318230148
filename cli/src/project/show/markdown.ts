import type { Report, ShownObject } from './report.ts'
import { problemText } from './text.ts'
import {
  approvalText,
  changeText,
  countsText,
  driftText,
  restText,
  signs,
  spendLines,
} from './words.ts'

/** A comment of GitHub has at most 65,536 characters. */
const longest = 60_000

/** A plan as a comment on a change of the files. */
export function markdownOf(report: Report): string {
  const { project, counts, objects, approval, needs } = report
  const head = [`### Project ${code(project)}: ${countsText(counts)}`, '']
  const facts = [
    ...spendLines(report),
    ...(approval.required ? [approvalText(approval)] : []),
    ...(needs.length > 0 ? [`Applying needs \`--allow ${needs.join(',')}\`.`] : []),
    restText(counts),
  ].map((line) => `- ${text(line)}`)
  const table = objects.length > 0 ? ['', '| | Object | Change |', '| - | - | - |'] : []
  const rows: string[] = []
  let left = longest - [...head, ...facts, ...table].join('\n').length
  for (const row of objects.map(rowOf)) {
    left -= row.length + 1
    if (left < 0) break
    rows.push(row)
  }
  const rest = objects.length - rows.length
  const more = rest > 0 ? ['', `… and ${rest} more`] : []
  return `${[...head, ...facts, ...table, ...rows, ...more].join('\n')}\n`
}

function rowOf({ change, kind, key, changes, actions, notes, problems }: ShownObject): string {
  const parts = [
    ...changes.map((each) => {
      const drift = each.drift ? `, ${text(driftText(each.drift))}` : ''
      return `${code(each.field)} ${text(changeText(each, change === 'create'))}${drift}`
    }),
    ...(actions.length > 0 ? [`→ ${actions.join(', ')}`] : []),
    ...notes.map(text),
    ...problems.map((problem) => `**${text(problemText(problem))}**`),
  ]
  return `| ${signs[change]} | ${kind} ${code(key)} | ${parts.join('<br>')} |`
}

/** Text of others makes no links, images, mentions or cells of its own. */
const text = (value: string): string =>
  value.replaceAll(/[\\`*_{}[\]()<>#+!|~@&-]/g, (character) => `&#${character.codePointAt(0)};`)

const code = (value: string): string => `<code>${text(value)}</code>`
