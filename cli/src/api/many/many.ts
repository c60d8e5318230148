import { exitCodeFor } from '../../exit.ts'
import { UsageError } from '../../faults.ts'
import { printJson, printRows } from '../../output/print.ts'
import { confirm } from '../../terminal.ts'
import { relativeFields } from '../changes.ts'
import { isObject } from '../read.ts'
import type { Call } from '../run.ts'
import { bodyOf } from '../sent.ts'
import { eachUntilRefused } from '../until-refused.ts'
import { type Outcome, operationFor, sendAll } from './bulk.ts'
import { costText } from './cost.ts'
import { listFor, matching, type Row } from './matching.ts'

type Act = (call: Call, targets: readonly string[]) => Promise<void>

/** Changes all objects that meet the filters, after one question. */
export async function changeMany(call: Call, act: Act): Promise<void> {
  const list = listFor(call.operation)
  if (!list) throw new UsageError('This command takes an id, and no --filter.')
  const ofOne = ['if-match', 'idempotency-key'].find(call.isGiven)
  if (ofOne) throw new UsageError(`--${ofOne} is for one object, and no --filter.`)
  if (call.command.args.length > 0) throw new UsageError('Either an id or --filter.')
  const rows = await matching(call, list)
  if (rows.length === 0) return void process.stderr.write('Nothing meets the filters.\n')
  const body = await bodyOf(call)
  const operations = rows
    .map((row) => operationFor(call, row, bodyFor(call, row, body)))
    .filter((each) => each !== undefined)
  if (operations.length < rows.length) return await oneByOne(call, rows, act)
  const tried = await sendAll(call, { rows, operations, isDryRun: true })
  if (call.isGiven('dry-run')) return report(call, tried)
  if (!call.isGiven('yes')) await confirm(questionOf(call, tried))
  report(call, await sendAll(call, { rows, operations, isDryRun: false }))
}

/** A percentage is of what each object has. */
const bodyFor = ({ operation, given }: Call, row: Row, body: unknown) =>
  isObject(body) ? { ...body, ...relativeFields(operation, given, row) } : body

async function oneByOne(call: Call, rows: readonly Row[], act: Act): Promise<void> {
  const sure = (word: string) => word === 'yes' || call.isGiven(word)
  const isAsked = !call.isGiven('yes') && !call.isGiven('dry-run')
  if (isAsked) await confirm(`${headOf(call, rows.length)}.`)
  const ids = rows.map(({ id }) => id)
  await eachUntilRefused(ids, (id) => act({ ...call, isGiven: sure }, [id]))
}

function headOf({ command }: Call, count: number): string {
  const collection = (command.parent?.name() ?? 'objects').replaceAll('-', ' ')
  const what = count === 1 ? collection.replace(/s$/, '') : collection
  return `${command.name()}: ${count.toLocaleString('en-US')} ${what}`
}

function questionOf(call: Call, tried: readonly Outcome[]): string {
  const refused = tried.filter(({ status }) => status >= 300)
  const cost = costText(tried.map(({ row, after }) => ({ before: row, after })))
  return [
    headOf(call, tried.length),
    ...(cost ? [`; a day costs ${cost}`] : []),
    ...(refused.length > 0 ? [`; ${refused.length} would be refused`] : []),
    '.',
  ].join('')
}

function report({ isGiven, jq }: Call, outcomes: readonly Outcome[]): void {
  const rows = outcomes.map(({ row, status, after, code, detail }) => ({
    ...{ id: row.id, name: row.name, status: after.status ?? 'deleted' },
    ...{ outcome: code || 'done', http_status: status, detail },
  }))
  if (jq) jq({ results: rows })
  else if (isGiven('json')) printJson({ results: rows })
  else printRows(rows, ['name', 'status', 'outcome', 'detail'])
  const [first, ...others] = outcomes.filter(({ status }) => status >= 300)
  if (!first) return
  const well = isGiven('dry-run') ? 'would be done' : 'done'
  process.stderr.write(`${rows.length - others.length - 1} of ${rows.length} ${well}.\n`)
  process.exitCode = exitCodeFor(first)
}
