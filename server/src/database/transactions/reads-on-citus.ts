import { setTimeout as sleep } from 'node:timers/promises'
import { batch } from '../../concurrency/batch.ts'
import { memberOf } from '../../values/objects.ts'
import { type Statement, typed } from '../driver/protocol.ts'
import type { Query } from '../tables/kysely.ts'

/** Each shard looks for the keys of all, so more would cost it more than they save. */
const maxKeys = 25

/** The longest time for which reads wait for those before them, which may wait for a lost machine. */
const longestWaitMs = 50

/** The time after a failure in which reads go alone, as a lost machine would fail those of others. */
const apartMs = 10_000

/**
 * Reads by key on Citus, many as one statement: while some are under way, others gather. A statement
 * costs its planning on two machines, whatever it reads: docs/decisions/0073-reads-by-key-on-citus.md.
 */
export function readsOnCitus(query: Query): Query {
  const byText = new Map<string, (read: Statement) => Promise<SentRead>>()
  let apartUntil = 0

  function sentFor(reads: readonly Statement[]): SentRead[] {
    const [first] = reads
    if (!first || reads.length === 1 || performance.now() < apartUntil) return reads.map(alone)
    const all = readTogether(query, first, reads)
    all.catch(() => {
      apartUntil = performance.now() + apartMs
    })
    return reads.map((read, at) => ({
      rows: all.then(
        (found) => found[at] ?? [],
        () => alone(read).rows,
      ),
    }))
  }

  const alone = ({ sql, parameters }: Statement): SentRead => ({ rows: query({ sql, parameters }) })

  async function send(reads: readonly Statement[]): Promise<SentRead[]> {
    const sent = sentFor(reads)
    const all = Promise.allSettled(sent.map(({ rows }) => rows))
    await Promise.race([all, sleep(longestWaitMs)])
    return sent
  }

  async function rowsOf(statement: Statement): Promise<unknown[]> {
    const read = byText.get(statement.sql) ?? batch(send, maxKeys)
    byText.set(statement.sql, read)
    return await (await read(statement)).rows
  }
  return <Row>(statement: Statement) => typed<Row>(rowsOf(statement))
}

/** Wraps the promise, as `batch` answers with what `send` has sent, not yet with its rows. */
type SentRead = { rows: Promise<unknown[]> }

/** Citus cannot join keys with rows of several shards: here they are conditions. */
async function readTogether(
  query: Query,
  { sql, byKey: key = [] }: Statement,
  reads: readonly Statement[],
): Promise<unknown[][]> {
  const parameters = key.map((_, at) => [...new Set(reads.map((read) => read.parameters[at]))])
  const rows = await query({ sql: textFor(sql, key), parameters })
  const found = new Map(rows.map((row) => [textOf(key.map((name) => memberOf(row, name))), row]))
  return reads.map((read) => {
    const row = found.get(textOf(read.parameters))
    // A row of its own for each: readers may change theirs.
    return row === undefined ? [] : [Object.assign({}, row)]
  })
}

const textOf = (values: readonly unknown[]) => JSON.stringify(values)

const texts = new Map<string, string>()

function textFor(sql: string, key: readonly string[]): string {
  const known = texts.get(sql)
  if (known !== undefined) return known
  const text = key.reduce(
    (text, name, at) => text.replace(`${name} = $${at + 1}`, `${name} = any($${at + 1})`),
    sql.replace(/limit 1\s*$/, ''),
  )
  texts.set(sql, text)
  return text
}
