import { UsageError } from '../faults.ts'
import { csvLine, printJson, printRows } from '../output/print.ts'
import type { Values } from './read.ts'
import type { Call } from './run.ts'

type Row = Record<string, unknown>
type Meta = { next_cursor: string | null; total?: number | null; total_is_estimate?: boolean }
type Page = { data: Row[]; meta: Meta }

type Asked = { path: string; query: Values }

/** Prints one page as a table, or all pages in a form for programs. */
export async function printList(call: Call, asked: Asked): Promise<void> {
  const { isGiven, jq } = call
  const forms = [isGiven('jq') ? 'jq' : 'json', 'jsonl', 'csv'].filter(isGiven)
  if (forms.length > 1) throw new UsageError(`Only one of --${forms.join(', --')}.`)
  if (isGiven('jsonl')) return await eachPage(call, asked, ({ data }) => data.forEach(printLine))
  if (isGiven('csv')) return await printCsv(call, asked)
  if (jq || isGiven('json')) {
    const answer = isGiven('all') ? await wholeOf(call, asked) : await pageOf(call, asked)
    if (jq) jq(answer)
    else printJson(answer)
    return
  }
  const counted = {
    ...asked,
    query: {
      ...(call.operation.flags['include-total'] && { include_total: true }),
      ...asked.query,
    },
  }
  const { data, meta } = isGiven('all') ? await wholeOf(call, asked) : await pageOf(call, counted)
  printRows(data, namesIn(asked.query))
  if (meta.next_cursor)
    process.stderr.write(`${data.length} of ${totalText(meta)}; --all shows them all.\n`)
}

const namesIn = ({ fields }: Values): string[] =>
  [fields ?? []].flat().flatMap((each) => String(each).split(','))

const totalText = ({ total, total_is_estimate }: Meta): string =>
  typeof total === 'number'
    ? `${total_is_estimate ? 'about ' : ''}${total.toLocaleString('en-US')}`
    : 'more'

const printLine = (row: Row) => void process.stdout.write(`${JSON.stringify(row)}\n`)

const pageOf = ({ client, operation }: Call, { path, query }: Asked): Promise<Page> =>
  client.request<Page>(operation.method, path, { query } as object)

/** All pages; only the first where a limit is given without --all. */
async function eachPage(call: Call, { path, query }: Asked, take: (page: Page) => void) {
  let page = await pageOf(call, { path, query: { limit: 100, ...query } })
  take(page)
  if (query.limit !== undefined && !call.isGiven('all')) return
  while (page.meta.next_cursor) {
    page = await pageOf(call, {
      path,
      query: { ...query, limit: query.limit ?? 100, cursor: page.meta.next_cursor },
    })
    take(page)
  }
}

async function wholeOf(call: Call, asked: Asked): Promise<Page> {
  const data: Row[] = []
  let meta: Meta = { next_cursor: null }
  await eachPage(call, asked, (page) => {
    data.push(...page.data)
    meta = page.meta
  })
  return { data, meta }
}

/** The columns are those of the first page: what a list answers has the same members in each row. */
async function printCsv(call: Call, asked: Asked): Promise<void> {
  let columns: string[] | undefined
  await eachPage(call, asked, ({ data }) => {
    if (!columns) {
      columns = [...new Set(data.flatMap((row) => Object.keys(row)))]
      process.stdout.write(csvLine(columns))
    }
    for (const row of data) process.stdout.write(csvLine((columns ?? []).map((name) => row[name])))
  })
}
