import type pg from 'pg'
import { hasCitusSql } from '../../driver/citus.ts'

type Queryable = Pick<pg.ClientBase, 'query'>

/** Whether the database has the extension. */
export async function hasCitus(client: Queryable): Promise<boolean> {
  return (await client.query(hasCitusSql)).rows[0].hasCitus
}

export type TableOnCitus = { name: string; isPlaced: boolean }

// Depth of the foreign keys below a table: what it refers to is placed before it.
const tablesSql = `
  with recursive ours as (
    select c.oid, c.relname::text as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  ), depths as (
    select oid, name, 0 as depth from ours
    union
    select o.oid, o.name, d.depth + 1 from depths d
    join pg_constraint f on f.confrelid = d.oid and f.contype = 'f' and f.conrelid <> f.confrelid
    join ours o on o.oid = f.conrelid
    where d.depth < 20
  )
  select name, exists (select from pg_dist_partition p where p.logicalrelid = oid) as "isPlaced"
  from depths group by oid, name order by max(depth), name <> 'organizations', name`

/** All tables of the schema, each after those that its foreign keys refer to. */
export async function placedTables(client: Queryable): Promise<TableOnCitus[]> {
  return (await client.query(tablesSql)).rows
}

// A key without the distribution column cannot be checked on one shard.
const keysSql = `
  select conname::text as name from pg_constraint
  where conrelid = $1::text::regclass and contype in ('f', 'u')
  order by contype, conname`

/** The names of a table's foreign and unique keys, those that others depend on last. */
export async function crossingKeys(client: Queryable, table: string): Promise<string[]> {
  return (await client.query(keysSql, [table])).rows.map(({ name }) => name)
}

export type Cluster = { nodes: number; shards: number }

const clusterSql = `
  select (select count(*)::int from pg_dist_node where isactive and noderole = 'primary') as nodes,
    (select count(*)::int from pg_dist_shard) as shards`

/** The active nodes, coordinator included, and the shards of all tables. */
export async function clusterOf(client: Queryable): Promise<Cluster> {
  return (await client.query(clusterSql)).rows[0]
}
