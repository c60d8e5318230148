import { type FreshDatabase, migratedDatabase } from './machines/fresh-database.ts'
import { openWorld, type World, type WorldOptions } from './world.ts'

/** A world on its own database: for tests that affect all organizations, or break things. */
export type OwnWorld = World & { database: FreshDatabase }

type Options = Pick<WorldOptions, 'env' | 'alter'>

export async function openOwnWorld(options: Options = {}): Promise<OwnWorld> {
  const database = await migratedDatabase()
  const world = await openWorld({ ...options, address: database.address })
  return {
    ...world,
    database,
    close: async () => {
      await world.close()
      await database.drop()
    },
  }
}
