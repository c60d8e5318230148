import { nearestName } from '../../values/nearest-name.ts'
import { UsageError } from '../command.ts'

/** The fields of a row that a column can have. */
export const fields = [
  'campaign_id',
  'external_id',
  'date',
  'spend',
  'impressions',
  'clicks',
  'conversions',
  'conversion_value',
  'adjustment',
  'is_final',
] as const
export type Field = (typeof fields)[number]

/** A column of the file, and the field that it has. */
export type Column = { readonly at: number; readonly name: string; readonly field: Field }

const isField = (name: string): name is Field => fields.some((field) => field === name)

/**
 * The columns that `--map` names, as `Column=field` with commas between; a column with the name of a
 * field needs no mention. Other columns are left out.
 */
export function columnsIn(header: readonly string[], map: string | undefined): Column[] {
  const names = header.map((name) => name.trim())
  const mapped = pairsIn(map).map(([name, field]) => ({ at: names.indexOf(name), name, field }))
  const missing = mapped.filter(({ at }) => at < 0)
  if (missing.length > 0) throw new UsageError(...missing.map(({ name }) => noColumn(name, names)))
  const taken = new Set<string>(mapped.map(({ field }) => field))
  const own = names.flatMap((name, at) =>
    isField(name) && !taken.has(name) ? [{ at, name, field: name }] : [],
  )
  const columns = [...mapped, ...own]
  const lacking = lackingIn(columns.map(({ field }) => field))
  if (lacking.length === 0) return columns
  const hint = `Name the columns: --map "${names[0]}=${lacking[0]?.split(' ')[0]},…".`
  throw new UsageError(`No column has ${lacking.join(', ')}. ${hint}`)
}

function pairsIn(map: string | undefined): [string, Field][] {
  if (map === undefined) return []
  const pairs = map.split(',').map((pair): [string, string] => {
    const sign = pair.lastIndexOf('=')
    return [pair.slice(0, Math.max(0, sign)).trim(), pair.slice(sign + 1).trim()]
  })
  const faults = pairs.flatMap(([name, field]) => faultsOf(name, field))
  const repeated = pairs.filter(([, field], at) => pairs.findIndex(([, of]) => of === field) < at)
  faults.push(...repeated.map(([, field]) => `--map has two columns for ${field}.`))
  if (faults.length > 0) throw new UsageError(...faults)
  return pairs.flatMap(([name, field]) => (isField(field) ? [[name, field]] : []))
}

function faultsOf(name: string, field: string): string[] {
  if (name === '') return [`--map takes pairs such as "Cost=spend", not "${field}".`]
  if (isField(field)) return []
  const nearest = nearestName(field, fields)
  const hint = nearest ? `did you mean ${nearest}?` : `use one of ${fields.join(', ')}.`
  return [`--map: "${field}" is no field of a row; ${hint}`]
}

function noColumn(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names)
  const hint = nearest ? `did you mean "${nearest}"?` : `it has ${names.join(', ')}.`
  return `The file has no column "${name}"; ${hint}`
}

const lackingIn = (found: readonly Field[]): string[] => {
  const has = (field: Field) => found.includes(field)
  return [
    ...(has('campaign_id') || has('external_id') ? [] : ['external_id (or campaign_id)']),
    ...(has('date') ? [] : ['date']),
    ...(has('spend') ? [] : ['spend']),
  ]
}
