import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  type Scalar,
  visit,
} from 'yaml'
import type { Fault, Member, Place, Placed } from './placed.ts'

const most = { depth: 16, values: 500_000 }

type Parsed = { root: Placed | null; faults: Fault[] }

/** Reads YAML, or JSON, which is YAML. Everything that is wrong is said, with its place. */
export function parse(file: string, text: string): Parsed {
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  })
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  if (!Array.isArray(documents)) return { root: null, faults: [] }
  const found = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])
  const faults = found.map(({ pos, message }) => ({ place: placeAt(pos[0]), message }))
  const [first, second] = documents
  if (second) faults.push({ place: placeAt(second.range[0]), message: 'one document a file' })
  if (!first?.contents || faults.length > 0) return { root: null, faults }
  const reading: Reading = { aliases: aliasesIn(first), placeAt, faults, left: most.values }
  return { root: read(reading, first.contents, 0), faults }
}

/** What is read of a document so far. */
type Reading = {
  aliases: ReadonlyMap<Alias, Node>
  placeAt: (offset: number) => Place
  faults: Fault[]
  /** How many values may still come: an alias counts as often as it is used, so none explodes. */
  left: number
}

/** What each alias stands for: the last of its name before it. */
function aliasesIn(document: Document.Parsed): Map<Alias, Node> {
  const named = new Map<string, Node>()
  const aliases = new Map<Alias, Node>()
  visit(document, {
    Node: (_, node) => {
      const target = isAlias(node) ? named.get(node.source) : undefined
      if (isAlias(node) && target) aliases.set(node, target)
      if (!isAlias(node) && node.anchor) named.set(node.anchor, node)
    },
  })
  return aliases
}

function read(reading: Reading, node: unknown, depth: number, usedAt?: Place): Placed {
  const place = usedAt ?? placeOf(reading, node)
  reading.left -= 1
  if (reading.left < 0) return refuse(reading, place, 'the file has too many values')
  if (depth > most.depth) return refuse(reading, place, 'is nested too deeply')
  if (isAlias(node)) {
    const named = reading.aliases.get(node)
    if (!named) return refuse(reading, place, `nothing is named &${node.source}`)
    return read(reading, named, depth + 1, place)
  }
  if (isSeq(node)) {
    const items = node.items.map((each) => read(reading, each, depth + 1))
    return { kind: 'list', place, items }
  }
  if (isMap(node)) return { kind: 'map', place, members: membersIn(reading, node.items, depth) }
  return isScalar(node) ? scalar(reading, node, place) : { kind: 'scalar', place, value: null }
}

function membersIn(reading: Reading, pairs: readonly Pair[], depth: number): Map<string, Member> {
  const members = new Map<string, Member>()
  for (const { key, value } of pairs) {
    const place = placeOf(reading, key)
    const name = nameOf(key)
    if (name === null) refuse(reading, place, 'a name is text')
    else if (name === '<<') refuse(reading, place, 'merge keys (<<) are not read: write fields out')
    else if (members.has(name)) refuse(reading, place, `${name} stands here twice`)
    else
      members.set(name, {
        place,
        value: read(reading, value, depth + 1, value ? undefined : place),
      })
  }
  return members
}

function scalar(reading: Reading, { value, source = '' }: Scalar, place: Place): Placed {
  if (typeof value === 'number' && !isExact(value, source)) {
    return refuse(reading, place, `${source} is no exact number: write it as text, in quotes`)
  }
  if (value === null || isPlain(value)) return { kind: 'scalar', place, value }
  return refuse(reading, place, 'is neither text, number, true, false nor null')
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

function placeOf({ placeAt }: Reading, node: unknown): Place {
  const { range } = (node ?? {}) as { range?: readonly number[] | null }
  return placeAt(range?.[0] ?? 0)
}

function refuse(reading: Reading, place: Place, message: string): Placed {
  // The first of too many is enough.
  if (reading.left >= -1) reading.faults.push({ place, message })
  return { kind: 'scalar', place, value: null }
}

/** As it is written: `on`, `null` and `2026` are names. */
function nameOf(key: unknown): string | null {
  if (!isScalar(key)) return null
  return typeof key.value === 'string' ? key.value : (key.source ?? null)
}

const isExact = (value: number, source: string): boolean =>
  Number.isFinite(value) && source.replaceAll(/\D/g, '').length <= 15
