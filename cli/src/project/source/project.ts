import { FileFaults } from '../../faults.ts'
import { sourcesAt } from './find.ts'
import type { Fault } from './placed.ts'
import { type Project, readProject } from './read.ts'

const mostFaults = 100

/** The project at these paths. Throws all that is wrong in its files. */
export async function projectAt(paths: readonly string[]): Promise<Project> {
  const { project, faults } = readProject(await sourcesAt(paths))
  if (faults.length === 0) return project
  const lines = faults.toSorted(inOrder).map(lineOf)
  const rest = lines.length - mostFaults
  throw new FileFaults([...lines.slice(0, mostFaults), ...(rest > 0 ? [`… and ${rest} more`] : [])])
}

const lineOf = ({ place: { file, line, column }, message }: Fault): string =>
  `${file}:${line}:${column} ${message}`

function inOrder({ place: one }: Fault, { place: other }: Fault): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1
  return one.line - other.line || one.column - other.column
}
