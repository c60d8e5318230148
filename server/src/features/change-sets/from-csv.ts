import { Type } from 'typebox'
import type { CheckBody } from '../../http/endpoint.ts'
import type { Context } from '../../kernel/context.ts'
import { tenantQuery } from '../../kernel/tenant-query.ts'
import { throwIfReplayed } from '../../kernel/transaction.ts'
import { type Fault, fault, invalid, maxFaults, Problem } from '../../problems/problem.ts'
import type { Query } from '../../query/list.ts'
import { badParameters } from '../../query/parameters.ts'
import { readCsv } from '../../query/read-csv.ts'
import { bodyOf, choice, oneLine } from '../../schema/fields.ts'
import { nearestName } from '../../values/nearest-name.ts'
import { readOperations } from './operations.ts'
import { propose } from './propose.ts'
import { type ChangeSet, modes, sourceKinds } from './schema.ts'
import { columnsIn, type Row, rowFrom } from './spreadsheet.ts'

const maxTitle = 255
const defaultTitle = 'From a spreadsheet'

export const csvParameters = {
  title: Type.String({
    minLength: 1,
    maxLength: maxTitle,
    default: defaultTitle,
    description: 'What it is about.',
  }),
  mode: choice(modes, { default: 'atomic', description: 'As in POST /change_sets.' }),
  source: choice(sourceKinds, { default: 'api', description: 'What it is made with.' }),
}

export const CsvBody = bodyOf({ csv: Type.String({ minLength: 1, description: 'The file.' }) })

export const maxRows = 1_000

/** A spreadsheet of campaigns becomes a change set: one operation a row. */
export async function proposeFromCsv(
  ctx: Context,
  { csv, query }: { csv: string; query: Query },
  check: CheckBody,
): Promise<ChangeSet> {
  const title = titleIn(query)
  await throwIfReplayed(ctx)
  const rows = rowsIn(csv)
  const ids = await idsByExternalId(ctx, rows)
  const operations = await readOperations(
    ctx,
    rows.map((row) => operationOf(row, ids)),
    check,
  ).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'validation_failed' ? inRows(error) : error
  })
  const mode = modes.find((each) => each === query.mode)
  const kind = sourceKinds.find((each) => each === query.source) ?? 'api'
  return propose(ctx, { title, ...(mode && { mode }), source: { kind }, operations }, check)
}

const line = new RegExp(oneLine)

function titleIn({ title = defaultTitle }: Query): string {
  const text = typeof title === 'string' ? title.trim() : ''
  const isFit = text !== '' && [...text].length <= maxTitle && line.test(text)
  if (isFit) return text
  const message = `must be text of 1 to ${maxTitle} characters`
  throw badParameters([{ parameter: 'title', code: 'invalid_format', message }])
}

/** Throws with every fault of the file. */
function rowsIn(csv: string): Row[] {
  const [header, ...lines] = readCsv(csv, maxRows + 2)
  const { columns, unknown } = columnsIn(header?.cells ?? [])
  const faults: Fault[] = unknown.map(unknownColumn)
  if (lines.length > maxRows) {
    faults.push(
      fault('/rows', 'too_many_items', `must have at most ${maxRows}`, { limit: maxRows }),
    )
  }
  if (lines.length === 0) faults.push(fault('/rows', 'too_short', 'must have a row', { limit: 1 }))
  const rows: Row[] = []
  for (const [index, line] of lines.entries()) {
    if (faults.length >= maxFaults) break
    const read = rowFrom(columns, line)
    faults.push(...read.faults.map((one) => ({ ...one, pointer: `/rows/${index}${one.pointer}` })))
    rows.push(read.row)
  }
  if (faults.length > 0) throw invalid(faults.slice(0, maxFaults))
  return rows
}

function unknownColumn({ name, known }: { name: string; known: readonly string[] }): Fault {
  const nearest = nearestName(name, known)
  const hint = nearest ? `; did you mean "${nearest}"?` : ''
  return fault(`/columns/${name.slice(0, 64)}`, 'unknown_field', `is not a known column${hint}`)
}

const idsSql = `
  select id, external_id from campaigns where organization_id = $1 and external_id = any($2)`

async function idsByExternalId(ctx: Context, rows: readonly Row[]): Promise<Map<string, string>> {
  const wanted = rows.flatMap(({ id, body }) =>
    id === null && typeof body.external_id === 'string' ? [body.external_id] : [],
  )
  if (wanted.length === 0) return new Map()
  const statement = tenantQuery(ctx, idsSql, wanted)
  const found = await ctx.reader.query<{ id: string; external_id: string }>(statement)
  return new Map(found.map(({ id, external_id }) => [external_id, id]))
}

function operationOf({ id, version, body }: Row, ids: ReadonlyMap<string, string>): object {
  const known = id ?? ids.get(String(body.external_id))
  if (known === undefined) {
    const { status: _, ...fields } = body
    return { op: 'create', body: fields }
  }
  return { op: 'update', id: known, ...(version !== null && { version }), body }
}

/** The same faults, by row and column. */
const inRows = ({ faults }: Problem): Problem =>
  invalid(
    faults.map((one) => ({
      ...one,
      pointer: (one.pointer ?? '').replace(/^\/operations\/(\d+)(?:\/body)?/, '/rows/$1'),
    })),
  )
