import type { Database } from '../database/database.ts'
import { atScrape } from './at-scrape.ts'

export type NodeShards = { node: string; shards: number }

// The extension's own tables are named only where it is there.
const shardsSql = `
  select n.nodename || ':' || n.nodeport as node, count(p.shardid)::int as shards
  from pg_dist_node n
  left join pg_dist_placement p on p.groupid = n.groupid
  where n.noderole = 'primary' and n.isactive
  group by n.nodename, n.nodeport order by 1`

/** Reads the active nodes of a Citus cluster, with the shards on each: none elsewhere. */
export const shardsByNode = ({
  reader,
  hasCitus,
}: Database): (() => Promise<readonly NodeShards[] | undefined>) =>
  atScrape(async () =>
    (await hasCitus()) ? await reader.query<NodeShards>({ sql: shardsSql, parameters: [] }) : [],
  )
