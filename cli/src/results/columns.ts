import {
  type Columns,
  columnsIn,
  type Field,
  fields,
  isField,
  lackingIn,
  likelierHeader,
  type ResultsFile,
} from '@flightdeckhq/sdk/results-file'
import { UsageError } from '../faults.ts'
import { nearest } from '../nearest.ts'

/** The pairs of `--map`: `Column=field`, with commas between. */
export type Pairs = readonly (readonly [name: string, field: Field])[]

type Named = { pairs: Pairs; hasPreset: boolean }

/**
 * The columns that `--map` names, and those with the name of a field; without it, or with a preset,
 * also those that are known by the names that networks give them. Others are left out.
 */
export function columnsOf(file: ResultsFile, { pairs, hasPreset }: Named): Columns {
  const names = file.header.cells.map((name) => name.trim())
  const missing = pairs.filter(([name]) => !names.includes(name))
  if (missing.length > 0) {
    throw new UsageError(missing.map(([name]) => noColumn(name, names)).join('\n'))
  }
  const mapped = Object.fromEntries(pairs.map(([name, field]) => [field, names.indexOf(name)]))
  const taken = new Set(Object.values(mapped))
  const known = pairs.length === 0 || hasPreset ? file.columns : ownIn(names)
  const rest = Object.entries(known).filter(([, at]) => !taken.has(at))
  const columns: Columns = { ...Object.fromEntries(rest), ...mapped }
  const lacking = lackingIn(columns)
  if (lacking.length === 0) return columns
  const first = lacking[0]?.at(-1)
  const hint = headerHint(file) ?? `Name the columns: --map "${names[0]}=${first},…".`
  throw new UsageError(`No column has ${lacking.map(listed).join(', or ')}. ${hint}`)
}

const ownIn = (names: readonly string[]): Columns => columnsIn(names.map(onlyOwn), null)

const onlyOwn = (name: string): string => (isField(name) ? name : '')

function headerHint(file: ResultsFile): string | undefined {
  const line = likelierHeader(file)
  return line === null ? undefined : `Line ${line} looks like the header: --header-line ${line}.`
}

const listed = (names: readonly Field[]): string =>
  names.length === 1 ? `${names[0]}` : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

export function pairsIn(map: string | undefined): Pairs {
  if (map === undefined) return []
  const pairs = map.split(',').map((pair): [string, string] => {
    const sign = pair.lastIndexOf('=')
    return [pair.slice(0, Math.max(0, sign)).trim(), pair.slice(sign + 1).trim()]
  })
  const faults = pairs.flatMap(([name, field]) => faultsOf(name, field))
  const repeated = pairs.filter(([, field], at) => pairs.findIndex(([, of]) => of === field) < at)
  faults.push(...repeated.map(([, field]) => `--map has two columns for ${field}.`))
  if (faults.length > 0) throw new UsageError(faults.join('\n'))
  return pairs.flatMap(([name, field]) => (isField(field) ? [[name, field] as const] : []))
}

function faultsOf(name: string, field: string): string[] {
  if (name === '') return [`--map takes pairs such as "Cost=spend", not "${field}".`]
  if (isField(field)) return []
  const meant = nearest(field, fields)
  const hint = meant ? `did you mean ${meant}?` : `use one of ${fields.join(', ')}.`
  return [`--map: "${field}" is no field of a row; ${hint}`]
}

function noColumn(name: string, names: readonly string[]): string {
  const meant = nearest(name, names)
  const hint = meant ? `did you mean "${meant}"?` : `it has ${names.join(', ')}.`
  return `The file has no column "${name}"; ${hint}`
}
