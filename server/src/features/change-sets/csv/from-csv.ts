import { Type } from 'typebox'
import type { Context } from '../../../kernel/context.ts'
import { tenantQuery } from '../../../kernel/tenant-query.ts'
import { throwIfReplayed } from '../../../kernel/transaction.ts'
import { invalid, Problem } from '../../../problems/problem.ts'
import type { Query } from '../../../query/list.ts'
import { badParameters } from '../../../query/parameters.ts'
import { bodyOf, choice, oneLine } from '../../../schema/fields.ts'
import { readOperations } from '../operations/read.ts'
import { propose } from '../propose.ts'
import { type ChangeSet, modes, sourceKinds } from '../schema.ts'
import type { CampaignRow } from './cells.ts'
import { rowsIn } from './file.ts'

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

/** A spreadsheet of campaigns becomes a change set: one operation a row. */
export async function proposeFromCsv(
  ctx: Context,
  { body, query }: { body: { csv: string }; query: Query },
): Promise<ChangeSet> {
  const title = titleIn(query)
  await throwIfReplayed(ctx)
  const rows = await rowsIn(body)
  const ids = await idsByExternalId(ctx, rows)
  const operations = await readOperations(
    ctx,
    rows.map((row) => operationOf(row, ids)),
  ).catch((error: unknown) => {
    throw error instanceof Problem && error.code === 'validation_failed' ? inRows(error) : error
  })
  const mode = modes.find((each) => each === query.mode)
  const kind = sourceKinds.find((each) => each === query.source) ?? 'api'
  return propose(ctx, { title, ...(mode && { mode }), source: { kind }, operations })
}

const line = new RegExp(oneLine)

function titleIn({ title = defaultTitle }: Query): string {
  const text = typeof title === 'string' ? title.trim() : ''
  const isFit = text !== '' && [...text].length <= maxTitle && line.test(text)
  if (isFit) return text
  const message = `must be text of 1 to ${maxTitle} characters`
  throw badParameters([{ parameter: 'title', code: 'invalid_format', message }])
}

const idsSql = `
  select id, external_id from campaigns where organization_id = $1 and external_id = any($2)`

async function idsByExternalId(
  ctx: Context,
  rows: readonly CampaignRow[],
): Promise<Map<string, string>> {
  const wanted = rows.flatMap(({ id, body }) =>
    id === null && typeof body.external_id === 'string' ? [body.external_id] : [],
  )
  if (wanted.length === 0) return new Map()
  const statement = tenantQuery(ctx, idsSql, wanted)
  const found = await ctx.reader.query<{ id: string; external_id: string }>(statement)
  return new Map(found.map(({ id, external_id }) => [external_id, id]))
}

function operationOf({ id, version, body }: CampaignRow, ids: ReadonlyMap<string, string>): object {
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
