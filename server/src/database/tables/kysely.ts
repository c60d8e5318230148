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
import type { Statement } from '../driver/protocol.ts'
import type { Tables } from './types.ts'

export type Query = <Row>(statement: Statement) => Promise<Row[]>

/** Kysely on one function that runs a statement; transactions are those of database.ts. */
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

/** The same, with a type that only reads; Kysely asks for the cast. */
export const readonlyKyselyOver = (query: Query): ReadonlyKysely<Tables> =>
  kyselyOver(query) as never

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

/** Compiles statements without running them. */
export const builder = kyselyOver(() => Promise.reject(new Error('this builder runs nothing')))
