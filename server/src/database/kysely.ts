import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import type { Statement } from './driver/protocol.ts'
import type { Tables } from './types.ts'

export type Query = <Row>(statement: Statement) => Promise<Row[]>

/** Kysely over one function that runs a statement. Transactions are database.ts's, not Kysely's. */
function kyselyOver(query: Query): Kysely<Tables> {
  const connection = oneConnection(query)
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => singleConnectionDriver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

/** The same by a type that has no statement which writes. */
export const readonlyKyselyOver = (query: Query) =>
  kyselyOver(query) as unknown as ReadonlyKysely<Tables>

const oneConnection = (query: Query): DatabaseConnection => ({
  async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
    return { rows: await query<Row>(compiled) }
  },
  streamQuery() {
    throw new Error('rows are not streamed: page through them')
  },
})

const refuse = () => Promise.reject(new Error('write through change()'))

const singleConnectionDriver = (connection: DatabaseConnection): Driver => ({
  init: async () => {},
  acquireConnection: async () => connection,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: async () => {},
  destroy: async () => {},
})

/** Builds statements that something else runs. */
export const builder = kyselyOver(() => Promise.reject(new Error('this builder runs nothing')))
