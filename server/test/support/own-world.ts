import { migrate } from '../../src/database/migrate.ts'
import { type FreshDatabase, freshDatabase } from './fresh-database.ts'
import { openWorld, type World } from './world.ts'

/** A world on a database of its own: for what goes through all organizations, or breaks things. */
export type OwnWorld = World & { database: FreshDatabase }

export async function openOwnWorld(env: Record<string, string> = {}): Promise<OwnWorld> {
  const database = await freshDatabase()
  await migrate(database.address)
  const world = await openWorld({ address: database.address, env })
  return {
    ...world,
    database,
    close: async () => {
      await world.close()
      await database.drop()
    },
  }
}
