import { readConfig } from '../config/config.ts'
import { environment } from '../config/environment.ts'
import type { Distribution } from '../database/upkeep/citus/distribute.ts'
import { migrate as applyMigrations, unknownText } from '../database/upkeep/migrate.ts'
import { action, type Given, UsageError } from './command.ts'
import { onDatabase } from './on-database.ts'

type Migrated = {
  applied: string[]
  unknown: string[]
  /** Only where asked for. */
  distribution?: Distribution
}

const defaultShards = 32
const maxShards = 1_024

export const migrate = action({
  run: (given) => {
    const shards = shardsIn(given)
    return onDatabase(
      readConfig(environment()),
      { name: 'migrate', mayCreate: true },
      async (address): Promise<Migrated> => {
        let unknown: string[] = []
        const onUnknown = (names: string[]) => {
          unknown = names
        }
        const applied = await applyMigrations(address, undefined, { onUnknown })
        if (shards === null) return { applied, unknown }
        const { distributeDatabase } = await import('../database/upkeep/citus/distribute.ts')
        return { applied, unknown, distribution: await distributeDatabase(address, { shards }) }
      },
    )
  },
  show: ({ applied, unknown, distribution }) =>
    [
      ...(applied.length > 0 ? [`Applied: ${applied.join(', ')}`] : []),
      ...(unknown.length > 0 ? [`${unknownText(unknown)}.`] : []),
      ...(applied.length + unknown.length === 0 ? ['The schema is up to date.'] : []),
      ...(distribution === undefined ? [] : [distributionText(distribution)]),
    ].join('\n'),
})

/** The number of shards to distribute over; null where the database stays as it is. */
function shardsIn(given: Given): number | null {
  const text = given.option('shards')
  if (!given.flag('distribute')) {
    if (text !== undefined) throw new UsageError('--shards needs --distribute.')
    return null
  }
  if (text === undefined) return defaultShards
  const shards = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (shards >= 1 && shards <= maxShards) return shards
  throw new UsageError(`--shards is a whole number from 1 to ${maxShards}, not "${text}".`)
}

function distributionText({ distributed, reference, dropped }: Distribution): string {
  const count = distributed.length + reference.length
  if (count === 0) return 'All tables are distributed already.'
  const keys =
    dropped.length === 0 ? '' : ` Dropped, as they would cross shards: ${dropped.join(', ')}.`
  return `Distributed ${distributed.length} tables and copied ${reference.length} to every node.${keys}`
}
