import type { Flightdeck } from '@flightdeckhq/sdk'
import type { Command } from 'commander'
import { clientOf } from '../../account/session.ts'
import { UsageError } from '../../faults.ts'
import { isIdOf, type Kind, kinds } from '../kinds.ts'
import type { Live } from '../live/object.ts'
import { readAll, readByIds, readProjects } from '../live/read.ts'
import { fileOf } from '../write/yaml.ts'

const projectName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

function checkName(project: string): void {
  if (!projectName.test(project)) throw new UsageError(`"${project}" is no name of a project.`)
}

/** Prints the objects of a project as a file, or with `--all` all that the organization has. */
export async function exportProject(
  command: Command,
  project: string,
  { all }: { all?: boolean },
): Promise<void> {
  checkName(project)
  const { client } = await clientOf(command)
  const found = all
    ? (await Promise.all(kinds.map((kind) => readAll(client, kind, {})))).flat()
    : await readProjects(client, [project])
  if (found.length === 0) throw new UsageError(`Nothing has the label of the project ${project}.`)
  process.stdout.write(fileOf(project, found))
}

export type ImportGiven = { project: string; filter?: readonly string[] }

/** Prints objects as a project file, by their ids, or campaigns by the filters of their list. */
export async function importObjects(
  command: Command,
  ids: readonly string[],
  { project, filter = [] }: ImportGiven,
): Promise<void> {
  checkName(project)
  if ((ids.length === 0) === (filter.length === 0)) {
    throw new UsageError('Give ids, or --filter.')
  }
  const wanted = ids.map((id) => ({ id, kind: kindOf(id) }))
  const { client } = await clientOf(command)
  const found =
    ids.length > 0
      ? await byIds(client, wanted)
      : await readAll(client, 'campaign', queryOf(filter))
  if (found.length === 0) throw new UsageError('Nothing is found.')
  process.stdout.write(fileOf(project, found))
}

function kindOf(id: string): Kind {
  const kind = kinds.find((each) => isIdOf(each, id))
  if (!kind) throw new UsageError(`"${id}" is no id of an object that files name.`)
  return kind
}

async function byIds(client: Flightdeck, wanted: readonly { id: string; kind: Kind }[]) {
  const read = kinds.map((kind) =>
    readByIds(
      client,
      kind,
      wanted.filter((each) => each.kind === kind).map(({ id }) => id),
    ),
  )
  const found: Live[] = (await Promise.all(read)).flat()
  const missing = wanted.find(({ id }) => !found.some((each) => each.id === id))
  if (missing) throw new UsageError(`${missing.id} is not there.`)
  return found
}

/** The list's filters that are given as `name=value`. */
export function queryOf(filter: readonly string[]): Record<string, string[]> {
  const query: Record<string, string[]> = {}
  for (const each of filter) {
    const at = each.indexOf('=')
    if (at < 1) throw new UsageError(`--filter is name=value, not "${each}".`)
    const name = each.slice(0, at)
    query[name] = [...(query[name] ?? []), each.slice(at + 1)]
  }
  return query
}
