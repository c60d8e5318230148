import type pg from 'pg'
import type { DatabaseAddress } from '../../address.ts'
import { type Report, reportOnStderr } from '../../patience.ts'
import { StartError } from '../../start-error.ts'
import { expendableTables } from '../../tables/expendable.ts'
import { connectToMigrate, endMigrating, whileAtWork } from '../migration-client.ts'
import { crossingKeys, hasCitus, placedTables, type TableOnCitus } from './catalogue.ts'
import { type Placement, placementOf } from './placements.ts'
import { sessionSettings } from './settings.ts'

/** The names of the tables placed, and of the keys dropped, by one call. */
export type Distribution = { distributed: string[]; reference: string[]; dropped: string[] }

/** `shards`: of each table, unless organizations are distributed already. */
type Options = { shards: number; report?: Report }

/** Distributes the tables of a database with Citus; throws a `StartError` where there is none. */
export async function distributeDatabase(
  address: DatabaseAddress,
  options: Options,
): Promise<Distribution> {
  const on = await connectToMigrate(address)
  try {
    return await whileAtWork(on, () => distribute(on.client, options))
  } finally {
    await endMigrating(on)
  }
}

/**
 * Distributes the tables that are not distributed yet, with their rows. Each table is a transaction
 * of its own, so that what was interrupted goes on where it stopped.
 */
export async function distribute(
  client: pg.ClientBase,
  { shards: wanted, report = reportOnStderr }: Options,
): Promise<Distribution> {
  if (!(await hasCitus(client))) throw new StartError(withoutCitus)
  for (const setting of sessionSettings) await client.query(setting)
  const shards = (await shardsOfOrganizations(client)) ?? wanted
  const done: Distribution = { distributed: [], reference: [], dropped: [] }
  for (const { name, placement } of missingOf(await placedTables(client))) {
    done.dropped.push(...(await dropCrossing(client, name, placement)))
    report(`${name}: ${placement === 'reference' ? 'to every node' : `by ${placement.by}`}`)
    await place(client, { name, placement, shards })
    ;(placement === 'reference' ? done.reference : done.distributed).push(name)
  }
  return done
}

const withoutCitus =
  'This database has no Citus. Install it on every node, and have a superuser run `create extension citus` in the database.'

type OnNodes = Exclude<Placement, 'local'>
type Missing = { name: string; placement: OnNodes }

/** Tables that Citus should have placed and has not, in an order that foreign keys allow. */
export const missingOf = (tables: readonly TableOnCitus[]): Missing[] =>
  tables.flatMap(({ name, isPlaced }) => {
    const placement = placementOf(name)
    if (isPlaced || placement === null || placement === 'local') return []
    return [{ name, placement }]
  })

const isExpendable = (table: string) => expendableTables.some((name) => name === table)

type Placing = Missing & { shards: number }

async function place(client: pg.ClientBase, { name, placement, shards }: Placing): Promise<void> {
  if (isExpendable(name)) await client.query(`alter table ${name} set logged`)
  if (placement === 'reference') {
    await client.query('select create_reference_table($1::text::regclass)', [name])
  } else if (placement.by === 'organization_id') {
    await client.query(
      `select create_distributed_table($1::text::regclass, $2, colocate_with => 'organizations')`,
      [name, placement.by],
    )
  } else {
    // Organizations, whose shards decide on those of the tables beside them, or found by something else.
    await client.query(
      `select create_distributed_table($1::text::regclass, $2, shard_count => $3, colocate_with => 'none')`,
      [name, placement.by, shards],
    )
  }
}

/** The shards of organizations, if they are distributed; tables that are added later have as many. */
async function shardsOfOrganizations(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ shards: number }>(
    `select shard_count::int as shards from citus_tables where table_name = 'organizations'::regclass`,
  )
  return rows[0]?.shards
}

/** Drops the keys of a table that is not stored by organization, as no shard could check them. */
async function dropCrossing(client: pg.ClientBase, table: string, placement: OnNodes) {
  if (placement === 'reference' || placement.by !== 'email') return []
  const keys = await crossingKeys(client, table)
  for (const key of keys) await client.query(`alter table ${table} drop constraint ${key}`)
  return keys
}
