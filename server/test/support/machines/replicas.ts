import { type Client, clientOf, openWorld, type TestOrganization, type World } from '../world.ts'
import { type FreshDatabase, migratedDatabase } from './fresh-database.ts'

/**
 * Marks the database as external, so that replicas may share it; its address is given separately.
 */
export const sharedDatabase = { FLIGHTDECK_DATABASE_URL: 'postgresql://shared' }

/** Two replicas of the service on one shared database. */
export type Replicas = {
  worlds: readonly [World, World]
  database: FreshDatabase
  /** The same client, of each of the two. */
  both(client: Client): readonly [Client, Client]
  organization: World['organization']
  /** Both replicas' clocks. */
  advance(seconds: number): void
  close(): Promise<void>
}

export async function openReplicas(env: Record<string, string> = {}): Promise<Replicas> {
  const database = await migratedDatabase()
  const open = () => openWorld({ address: database.address, env: { ...sharedDatabase, ...env } })
  const worlds = [await open(), await open()] as const
  return {
    worlds,
    database,
    both: (client) => [clientOf(worlds[0].app, client), clientOf(worlds[1].app, client)],
    organization: (options): Promise<TestOrganization> => worlds[0].organization(options),
    advance: (seconds) => {
      for (const { clock } of worlds) clock.advance(seconds * 1000)
    },
    close: async () => {
      for (const world of worlds) await world.close()
      await database.drop()
    },
  }
}
