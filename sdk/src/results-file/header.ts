import type { CsvRow } from './csv.ts'
import { type Columns, type Field, fields, lackingIn } from './fields.ts'
import { type Network, namesOf, networks, presets } from './presets.ts'

/** A currency that a column names: `Amount spent (USD)`. */
const unit = /\(([A-Z]{3})\)$/

export const unitOf = (name: string): string | null => unit.exec(name.trim())?.[1] ?? null

/** Column names as they are compared. */
const plain = (name: string): string =>
  name.slice(0, 200).trim().replace(unit, '').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** The network whose export has these columns; null where none is known by them. */
export function networkOf(header: readonly string[]): Network | null {
  const names = new Set(header.map(plain))
  const found = networks
    .map((network) => ({
      network,
      marks: presets[network].marks.filter((name) => names.has(name)),
    }))
    .sort((one, other) => other.marks.length - one.marks.length)
  const [best, second] = found
  if (!best || best.marks.length === 0) return null
  return best.marks.length === second?.marks.length ? null : best.network
}

/** The columns that are known by their names: those of fields first, then those of the network. */
export function columnsIn(header: readonly string[], network: Network | null): Columns {
  const exact = header.map((name) => name.trim())
  const names = header.map(plain)
  const taken = new Set<number>()
  const found: Partial<Record<Field, number>> = {}
  const take = (field: Field, at: number | undefined) => {
    if (found[field] !== undefined || at === undefined || at < 0 || taken.has(at)) return
    taken.add(at)
    found[field] = at
  }
  for (const field of fields) take(field, exact.indexOf(field))
  for (const field of fields) {
    const wanted = namesOf(field, network).find((name) => freeAt(names, name, taken) >= 0)
    if (wanted !== undefined) take(field, freeAt(names, wanted, taken))
  }
  return found
}

const freeAt = (names: readonly string[], name: string, taken: ReadonlySet<number>): number =>
  names.findIndex((each, at) => each === name && !taken.has(at))

const mostTitleLines = 40

/**
 * The place of the header among the rows: the first that names a campaign, a day and a spend, else
 * the one with most known names, else the first with more than one cell.
 */
export function headerAt(rows: readonly CsvRow[], names: readonly string[] = []): number {
  const judged = rows.slice(0, mostTitleLines).map(({ cells }, at) => {
    const columns = columnsIn(cells, networkOf(cells))
    const named = cells.filter((cell) => names.includes(cell.trim())).length
    const isWhole = lackingIn(columns).length === 0
    return { at, known: Object.keys(columns).length + named * 100 + (isWhole ? 50 : 0) }
  })
  const most = Math.max(0, ...judged.map(({ known }) => known))
  const found = judged.find(({ known }) => known === most && most > 1)
  if (found) return found.at
  const first = rows.findIndex(({ cells }) => cells.filter((cell) => cell.trim() !== '').length > 1)
  return Math.max(0, first)
}
