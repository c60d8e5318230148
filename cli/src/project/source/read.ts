import { type Schema, schemaText } from '../../schema.ts'
import { factsOf, type Kind, kinds } from '../kinds.ts'
import { checker } from './check.ts'
import type { Source } from './find.ts'
import { faultsOfMeaning } from './meaning.ts'
import { parse } from './parse.ts'
import { type Fault, type Member, membersOf, type Place, type Placed } from './placed.ts'

/** An object as a file has it. */
export type Entry = {
  kind: Kind
  key: string
  place: Place
  fields: ReadonlyMap<string, Member>
}

/** What the files of a project say. */
export type Project = {
  name: string
  defaults: ReadonlyMap<string, Member>
  entries: readonly Entry[]
}

const mostObjects = 10_000

/** The project that the files are of, and all that is wrong in them. */
export function readProject(sources: readonly Source[]): { project: Project; faults: Fault[] } {
  const check = checker(JSON.parse(schemaText()) as Schema)
  const parsed = sources.map(({ file, text }) => parse(file, text))
  const roots = parsed.flatMap(({ root }) => root ?? [])
  const faults = [...parsed.flatMap((each) => each.faults), ...roots.flatMap(check)]
  const start = { file: sources[0]?.file ?? '', line: 1, column: 1 }
  // A file that cannot be read may be the one that has the name.
  const name = nameOf(roots, faults.length > 0 ? null : start)
  const defaults = merged(roots.map((root) => membersOf(membersOf(root).get('defaults')?.value)))
  const found = entriesOf(roots)
  const project = { name: name.value, defaults: defaults.value, entries: found.value }
  faults.push(...name.faults, ...defaults.faults, ...found.faults)
  // What a field means is asked only of fields that have their form.
  return { project, faults: faults.length > 0 ? faults : faultsOfMeaning(project) }
}

type Read<Value> = { value: Value; faults: Fault[] }

/** The name that all files give, or those that give one. */
function nameOf(roots: readonly Placed[], start: Place | null): Read<string> {
  const given = roots.flatMap((root) => membersOf(root).get('project') ?? [])
  const names = given.map(({ place, value }) => ({
    place,
    text: value.kind === 'scalar' ? String(value.value) : '',
  }))
  const [first] = names
  if (!first) {
    return { value: '', faults: start ? [{ place: start, message: 'project is missing' }] : [] }
  }
  const others = names.filter(({ text }) => text !== first.text)
  const faults = others.map(({ place, text }) => ({
    place,
    message: `the project is ${first.text} in ${first.place.file}, and ${text} here`,
  }))
  return { value: first.text, faults }
}

/** The defaults of all files: each stands once. */
function merged(maps: readonly ReadonlyMap<string, Member>[]): Read<Map<string, Member>> {
  const value = new Map<string, Member>()
  const faults = maps.flatMap((members) =>
    [...members].flatMap(([name, member]) => {
      const former = value.get(name)
      value.set(name, former ?? member)
      return former ? [twice(name, member.place, former.place)] : []
    }),
  )
  return { value, faults }
}

const twice = (name: string, place: Place, former: Place): Fault => ({
  place,
  message: `${name} stands at ${former.file}:${former.line} already`,
})

function entriesOf(roots: readonly Placed[]): Read<Entry[]> {
  const known = new Map<string, Entry>()
  const faults: Fault[] = []
  for (const root of roots) {
    for (const kind of kinds) {
      const section = membersOf(root).get(factsOf[kind].section)?.value
      for (const [key, { place, value }] of membersOf(section)) {
        const former = known.get(`${kind} ${key}`)
        const entry = { kind, key, place, fields: membersOf(value) }
        if (former) faults.push(twice(key, place, former.place))
        else known.set(`${kind} ${key}`, entry)
      }
    }
  }
  const value = [...known.values()].sort(
    (one, other) => kinds.indexOf(one.kind) - kinds.indexOf(other.kind),
  )
  const [, ...tooMany] = value.slice(mostObjects - 1)
  if (tooMany[0]) {
    const message = `the project names ${value.length} objects, at most ${mostObjects}`
    faults.push({ place: tooMany[0].place, message })
  }
  return { value, faults }
}
