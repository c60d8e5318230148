import { memberOf } from '../../values/objects.ts'
import { type Statement, typed } from '../driver/protocol.ts'
import type { Query } from '../tables/kysely.ts'

type Read = {
  parameters: readonly unknown[]
  resolve(rows: unknown[]): void
  reject(error: unknown): void
}

const maxBatchSize = 100

/**
 * Combines reads by key with the same text, from one turn of the event loop, into one statement.
 * Measured against one statement each: docs/decisions/0004-statement-batching.md. Not `batch()`, in
 * which reads would wait for those under way.
 */
export function batchReadsByKey(query: Query): Query {
  const waiting = new Map<string, Read[]>()

  function flush(sql: string): void {
    const reads = waiting.get(sql) ?? []
    waiting.delete(sql)
    for (const chunk of chunksOf(reads)) void readBatch(query, sql, chunk)
  }

  const rowsOf = ({ sql, parameters }: Statement) =>
    new Promise<unknown[]>((resolve, reject) => {
      const read = { parameters, resolve, reject }
      const others = waiting.get(sql)
      if (others) return void others.push(read)
      waiting.set(sql, [read])
      setImmediate(flush, sql)
    })
  return <Row>(statement: Statement) => typed<Row>(rowsOf(statement))
}

async function readBatch(query: Query, sql: string, reads: readonly Read[]): Promise<void> {
  try {
    const results = await resultsOf(query, sql, reads)
    for (const [at, read] of reads.entries()) read.resolve(results[at] ?? [])
  } catch (error) {
    for (const read of reads) read.reject(error)
  }
}

type Parameters = Pick<Read, 'parameters'>

const isOfOneTenant = (reads: readonly Parameters[]): boolean =>
  reads.every(({ parameters: [tenant] }) => tenant === reads[0]?.parameters[0])

export type PendingRead = Omit<Read, 'parameters'> & { statement: Statement }

/** For fewer, one statement each costs less than a plan for all. */
const fewest = 10

/**
 * The same reads, where many by key with the same text leave as one statement for each hundred. A
 * transaction that reads a thousand rows so keeps its connection from others for a shorter time.
 */
export function combined(reads: readonly PendingRead[]): {
  singly: PendingRead[]
  together: PendingRead[]
} {
  const byKey = reads.length < fewest ? [] : reads.filter(({ statement }) => statement.byKey)
  const many = [...Map.groupBy(byKey, ({ statement }) => statement.sql)].filter(
    ([, group]) => group.length >= fewest,
  )
  const texts = new Set(many.map(([sql]) => sql))
  return {
    singly: reads.filter(({ statement }) => !(statement.byKey && texts.has(statement.sql))),
    together: many.flatMap(([sql, group]) => chunksOf(group).map((chunk) => asOne(sql, chunk))),
  }
}

const chunksOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / maxBatchSize) }, (_, at) =>
    items.slice(at * maxBatchSize, (at + 1) * maxBatchSize),
  )

function asOne(sql: string, group: readonly PendingRead[]): PendingRead {
  const reads = group.map(({ statement, ...read }) => ({ ...read, ...statement }))
  return {
    statement: batchedStatement(sql, reads),
    resolve(rows) {
      const results: unknown[][] = reads.map(() => [])
      // Without the position: the work may write rows as it has read them.
      for (const { read_at, ...row } of rows.filter(isBatched)) results[read_at - 1]?.push(row)
      for (const [at, read] of reads.entries()) read.resolve(results[at] ?? [])
    },
    reject(error) {
      for (const read of reads) read.reject(error)
    },
  }
}

async function resultsOf(query: Query, sql: string, reads: readonly Read[]): Promise<unknown[][]> {
  const [first] = reads
  if (reads.length === 1 && first) return [await query({ sql, parameters: first.parameters })]
  const results: unknown[][] = reads.map(() => [])
  for (const row of await query<BatchedRow>(batchedStatement(sql, reads)))
    results[row.read_at - 1]?.push(row)
  return results
}

/** The position of the read that a row answers, from 1. */
type BatchedRow = { read_at: number }

const isBatched = (row: unknown): row is BatchedRow => typeof memberOf(row, 'read_at') === 'number'

/**
 * A generic plan assumes arrays of ten elements. For shorter ones a custom plan looks cheaper, so they
 * would be planned each time: they are padded to ten.
 */
const plannedArrayLength = 10
const noKey = ''

function batchedStatement(sql: string, reads: readonly Read[]): Statement {
  const all = reads[0]?.parameters ?? []
  const rest = Array<string>(Math.max(0, plannedArrayLength - reads.length)).fill(noKey)
  const listed = (_: unknown, at: number) => [...reads.map((read) => read.parameters[at]), ...rest]
  // With the tenant as it is, Citus finds the one shard that has them all.
  const isOfOne = all.length > 1 && isOfOneTenant(reads)
  const parameters = all.map((value, at) => (isOfOne && at === 0 ? value : listed(value, at)))
  return { sql: batchedSql(sql, { count: all.length, isOfOne }), parameters }
}

type Form = { count: number; isOfOne: boolean }

const texts = { ofOne: new Map<string, string>(), ofSeveral: new Map<string, string>() }

function batchedSql(sql: string, form: Form): string {
  const known = form.isOfOne ? texts.ofOne : texts.ofSeveral
  const text = known.get(sql) ?? batchedText(sql, form)
  known.set(sql, text)
  return text
}

function batchedText(sql: string, { count, isOfOne }: Form): string {
  const numbers = Array.from({ length: count }, (_, at) => at + 1).slice(isOfOne ? 1 : 0)
  const arrays = numbers.map((number) => `$${number}::text[]`)
  const names = numbers.map((number) => `p${number}`)
  const one = sql.replace(/\$(\d+)/g, (parameter, number) =>
    isOfOne && number === '1' ? parameter : `reads.p${number}`,
  )
  return `
    select one.*, reads.at::int as read_at
    from unnest(${arrays}) with ordinality as reads (${names}, at)
    cross join lateral (select * from (${one}) row limit 1) one`
}
