import pg from 'pg'
import type { Statement } from '../driver/protocol.ts'
import { valueText } from '../driver/value-text.ts'
import type { Query } from '../tables/kysely.ts'
import { isDatabaseDown } from '../unavailable.ts'

/**
 * Reads of the rows of all organizations. Citus fails such a statement where a machine is lost: then
 * each shard of the others is asked by itself.
 */
export const readsOfAll =
  (query: Query, hasCitus: () => Promise<boolean>): Query =>
  async <Row>(statement: Statement) => {
    try {
      return await query<Row>(statement)
    } catch (error) {
      if (!isDatabaseDown(error) || !(await hasCitus())) throw error
      return await fromEachShard<Row>(query, statement)
    }
  }

type Shard = { node: string; port: number; names: Record<string, string> }

// Shards of tables that are stored by the same column begin at the same value.
const shardsSql = `
  select n.nodename as node, n.nodeport as port,
    json_object_agg(c.relname, shard_name(s.logicalrelid, s.shardid)) as names
  from pg_dist_shard s
  join pg_class c on c.oid = s.logicalrelid
  join pg_dist_placement p on p.shardid = s.shardid and p.shardstate = 1
  join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
  where c.relname = any($1)
  group by n.nodename, n.nodeport, s.shardminvalue`

const onShardsSql = `
  select success, result
  from master_run_on_worker($1::text[], $2::integer[], $3::text[], true)`

type ShardAnswer = { success: boolean; result: string }

/** A fault of the way to a machine, and not one that names the table of connections. */
const lost =
  /failed to connect|server closed the connection|connection (?:not open|refused|reset|terminated)/i

const tableNames = /\b(from|join)\s+([a-z_]+)/g

async function fromEachShard<Row>(query: Query, statement: Statement): Promise<Row[]> {
  const tables = [...statement.sql.matchAll(tableNames)].map(([, , name]) => name)
  const shards = await query<Shard>({ sql: shardsSql, parameters: [tables] })
  const texts = shards.map(({ names }) => textOn(names, statement))
  const places = [shards.map(({ node }) => node), shards.map(({ port }) => port)]
  const parameters = [...places, texts]
  return (await query<ShardAnswer>({ sql: onShardsSql, parameters })).flatMap(rowsIn<Row>)
}

function rowsIn<Row>({ success, result }: ShardAnswer): Row[] {
  if (success) return JSON.parse(result)
  if (lost.test(result)) return []
  throw new Error(result)
}

/** The statement as a text of its own, on the tables of a shard. */
function textOn(names: Shard['names'], { sql, parameters }: Statement): string {
  const onShard = sql.replace(tableNames, (all, before, name) =>
    names[name] === undefined ? all : `${before} ${names[name]}`,
  )
  const withValues = onShard.replace(/\$(\d+)/g, (_, number) => {
    const text = valueText(parameters[Number(number) - 1])
    return text === null ? 'null' : pg.escapeLiteral(text)
  })
  return `select coalesce(json_agg(found), '[]')::text from (${withValues}) found`
}
