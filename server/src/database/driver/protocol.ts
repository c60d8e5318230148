/**
 * How statements are sent. This and connection.ts are all that depends on `pg`'s internals.
 *
 * `pg` sends a Describe and a Sync with every statement. Here a statement is prepared and described
 * once per connection, and a batch shares one Sync, which makes it one atomic transaction.
 * Measured against `pg`: docs/decisions/0004-statement-batching.md.
 */
import pg from 'pg'
import type { ByteBudget } from './byte-budget.ts'
import { inFlightOn } from './connection.ts'
import { DatabaseBusy } from './database-busy.ts'
import type { Insert } from './insert.ts'
import { plannerSettings } from './planner-settings.ts'
import { valueText } from './value-text.ts'
import { parserOf } from './value-types.ts'

export type Statement = {
  readonly sql: string
  readonly parameters: readonly unknown[]
  /**
   * The columns that its parameters, which are texts, are compared with, and that its row has: it
   * returns one row at most, and may be combined with others.
   */
  readonly byKey?: readonly string[]
  /** The insert whose rows its parameters are; several of the same may be one statement. */
  readonly insert?: Insert
  /**
   * An index has its rows in order. Forbids sorting, which the planner prefers when it underestimates
   * the rows, and which would then sort very many to return the first.
   */
  readonly byIndex?: true
  /** Planned for its own parameters, and for rows that are in memory: its filters find few of many. */
  readonly byFilters?: true
  /**
   * The rows of all organizations; on Citus, where a machine is lost, of those on the others. It names
   * tables, no views.
   */
  readonly ofAll?: true
  /** Rows beyond the budget are dropped as they arrive; the first is always kept. */
  readonly budget?: ByteBudget
}

export type Rows = Record<string, unknown>[]

/** Runs the statements as one transaction, except on Citus; returns the rows of each. */
export function runBatch(client: pg.Client, statements: readonly Statement[]): Promise<Rows[]> {
  if (inFlightOn(client) >= maxInFlight) return Promise.reject(new DatabaseBusy())
  return write(client, statements)
}

/**
 * The same on Citus, which commits each statement at once where no block is open. Both parts are sent
 * together: after a failure `commit` rolls back, and what others send behind it finds no block.
 */
export async function runBlock(client: pg.Client, statements: readonly Statement[]): Promise<void> {
  if (inFlightOn(client) >= maxInFlight) throw new DatabaseBusy()
  const [begin, commit] = [alone('begin'), alone('commit')]
  await Promise.all([write(client, [begin, ...statements]), write(client, [commit])])
}

const alone = (sql: string): Statement => ({ sql, parameters: [] })

function write(client: pg.Client, statements: readonly Statement[]): Promise<Rows[]> {
  const steps = statements.map(({ sql, parameters, budget }) => ({
    prepared: preparedFor(client, sql),
    values: parameters.map(valueText),
    budget,
  }))
  return new Promise((resolve, reject) => {
    corkUntilNextTick(client)
    client.query(
      new Batch(steps, (error, rows) => {
        if (!error) return resolve(rows)
        // A failed preparation explains why the statement is missing.
        const cause = steps.find(({ prepared }) => prepared.fault)?.prepared.fault
        if (isStatementGone(error) && !cause) preparedOf(client).clear()
        reject(cause ?? error)
      }),
    )
    closeLeastRecentlyUsed(client)
  })
}

/** Runs one statement; outside `begin` it is a transaction of its own. */
export const runOne = <Row>(client: pg.Client, statement: Statement): Promise<Row[]> =>
  typed<Row>(rowsOf(client, statement))

/** Gives rows their type: callers name the shape that their SQL selects. */
export const typed = <Row>(rows: Promise<unknown[]>) => rows as Promise<Row[]>

async function rowsOf(client: pg.Client, statement: Statement): Promise<Rows> {
  return (await runBatch(client, [...plannerSettings(statement), statement])).at(-1) ?? []
}

/** Sends everything from one callback of the event loop in one write. */
function corkUntilNextTick(client: pg.Client): void {
  const { stream } = client.connection
  if (stream.writableCorked > 0) return
  stream.cork()
  // Not setImmediate(): what is gathered over a turn would wait for another one.
  process.nextTick(() => stream.uncork())
}

/** A safeguard: admitted requests never come near it. */
const maxInFlight = 5_000

type Field = { name: string; dataTypeID: number }
type Values = (string | null)[]
type DataRow = { fields: Values; length: number }
type Decode = (values: Values) => Record<string, unknown>

/** A statement prepared on a connection: its name there, and the decoder of its rows. */
type Prepared = { readonly name: string; decode: Decode; fault?: Error }
type Step = { prepared: Prepared; values: Values; budget: ByteBudget | undefined }

const preparedBy = new WeakMap<pg.Client, Map<string, Prepared>>()
const maxPrepared = 500
let preparations = 0

function preparedOf(client: pg.Client): Map<string, Prepared> {
  const known = preparedBy.get(client)
  if (known) return known
  const made = new Map<string, Prepared>()
  preparedBy.set(client, made)
  return made
}

/** The prepared statement, prepared if necessary, and marked as the most recently used. */
function preparedFor(client: pg.Client, sql: string): Prepared {
  const all = preparedOf(client)
  const known = all.get(sql)
  if (!known) return prepare(client, sql)
  all.delete(sql)
  all.set(sql, known)
  return known
}

/** Sent before the batch that needs it, with its own Sync, so that errors stay separate. */
function prepare(client: pg.Client, sql: string): Prepared {
  const known = preparedOf(client)
  preparations += 1
  const prepared: Prepared = { name: `s${preparations}`, decode: () => ({}) }
  known.set(sql, prepared)
  const onFault = (fault: Error) => {
    known.delete(sql)
    prepared.fault = fault
  }
  client.query(new Preparation(prepared, sql, onFault))
  return prepared
}

/** Keeps statements whose text depends on input from piling up on the server. */
function closeLeastRecentlyUsed(client: pg.Client): void {
  const known = preparedOf(client)
  for (const [sql, { name }] of known) {
    if (known.size <= maxPrepared) return
    known.delete(sql)
    client.query(new Release(name))
  }
}

const missingStatement = '26000'
const changedResult = '0A000'

/** The server dropped the statement, or its columns have changed: it must be prepared again. */
const isStatementGone = (error: Error & { code?: string }) =>
  error.code === missingStatement || error.code === changedResult

/**
 * Builds a row as one object literal, by code generated once per statement: adding key by key costs
 * four times as much, and more garbage collection. Only column names enter that code, as string
 * literals.
 */
function decoderOf(fields: readonly Field[]): Decode {
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID))
  const members = fields.map(({ name }, at) => {
    const value = `v[${at}]`
    const parsed = parsers[at] ? `${value} === null ? null : p[${at}](${value})` : value
    return `${JSON.stringify(name)}: ${parsed}`
  })
  const build = new Function('v', 'p', `return { ${members.join(', ')} }`)
  return (values) => build(values, parsers)
}

type Callback = (error: Error | null, rows: Rows[]) => void

/** Shared, as V8 allocates functions written where they are assigned in the old generation. */
function submit(this: Exchange, connection: pg.Connection): null {
  this.write(connection)
  return null
}

/** The methods that pg calls on a query in pipeline mode; it accepts only subclasses of its own. */
abstract class Exchange extends pg.Query {
  callback: Callback

  constructor(callback: Callback) {
    super({ text: '' })
    this.callback = callback
    this.submit = submit
  }

  abstract write(connection: pg.Connection): void

  handleRowDescription(_: { fields: Field[] }): void {}
  handleDataRow(_: DataRow): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.callback(null, [])
  }

  handleError(error: Error): void {
    this.callback(error, [])
  }
}

/** pg's types ask whether another message follows. */
const more = true
/** PostgreSQL infers the types of the parameters. */
const inferred: string[] = []

class Preparation extends Exchange {
  readonly #prepared: Prepared
  readonly #sql: string

  constructor(prepared: Prepared, sql: string, onFault: (fault: Error) => void) {
    super((error) => {
      if (error) onFault(error)
    })
    this.#prepared = prepared
    this.#sql = sql
  }

  override write(connection: pg.Connection): void {
    const { name } = this.#prepared
    connection.parse({ name, text: this.#sql, types: inferred }, more)
    connection.describe({ type: 'S', name }, more)
    connection.sync()
  }

  override handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#prepared.decode = decoderOf(fields)
  }
}

class Release extends Exchange {
  readonly #name: string

  constructor(name: string) {
    super(() => {})
    this.#name = name
  }

  override write(connection: pg.Connection): void {
    connection.close({ type: 'S', name: this.#name }, more)
    connection.sync()
  }
}

class Batch extends Exchange {
  readonly #steps: readonly Step[]
  readonly #results: Rows[]
  #at = 0

  constructor(steps: readonly Step[], callback: Callback) {
    super(callback)
    this.#steps = steps
    this.#results = steps.map(() => [])
  }

  override write(connection: pg.Connection): void {
    for (const { prepared, values } of this.#steps) {
      connection.bind({ statement: prepared.name, values }, more)
      connection.execute(null, more)
    }
    connection.sync()
  }

  override handleDataRow({ fields, length }: DataRow): void {
    const step = this.#steps[this.#at]
    if (!step || step.budget?.takes(length) === false) return
    this.#results[this.#at]?.push(step.prepared.decode(fields))
  }

  override handleCommandComplete(): void {
    this.#at += 1
  }

  override handleReadyForQuery(): void {
    this.callback(null, this.#results)
  }
}
