import type { Day, RowFault } from './check.ts'

/**
 * Leaves out days that several rows have. None of them is right: half of the spend would be lost.
 */
export function withoutRepeated(days: readonly Day[]): { unique: Day[]; faults: RowFault[] } {
  const groups = Map.groupBy(days, ({ campaign, row }) => `${campaign.id} ${row.date}`)
  const unique: Day[] = []
  const faults: RowFault[] = []
  for (const group of groups.values()) {
    const [first, ...others] = group
    if (first && others.length === 0) unique.push(first)
    else faults.push(...group.map((day) => repeated(day, group)))
  }
  return { unique, faults }
}

const mostLines = 5

function repeated({ line, campaign }: Day, group: readonly Day[]): RowFault {
  const others = group.filter((each) => each.line !== line).map((each) => each.line)
  const shown = others.slice(0, mostLines).join(', ')
  const lines = others.length === 1 ? `line ${shown}` : `lines ${shown}`
  const message = `has the same campaign and day as ${lines}${others.length > mostLines ? ' and more' : ''}: add them up first`
  return { line, column: null, value: null, campaign: campaign.name, message, code: 'invalid' }
}
