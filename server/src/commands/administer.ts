import { userInfo } from 'node:os'
import type { Selectable } from 'kysely'
import { type Config, environment, readConfig } from '../config/config.ts'
import type { DatabaseAddress } from '../database/address.ts'
import { migrate } from '../database/migrate.ts'
import { joinDatabase } from '../database/open.ts'
import { columnsOf, type Tables } from '../database/types.ts'
import { administration, type Context, type Services } from '../kernel/context.ts'
import { exitWhenStopped } from '../process/stop-signals.ts'
import { openServices } from '../services.ts'
import { publishOnly } from '../signals/bus.ts'
import type { Actor } from '../values/organization.ts'
import { CommandError } from './command.ts'
import { readOrganizationId } from './read.ts'

/** Runs `work` on the service's database, whether or not the service is running. */
export async function administer<T>(
  name: string,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const config = readConfig(environment())
  return onDatabase(config, name, async (address) => {
    await migrate(address)
    const services = await openServices(config, address)
    const bus = publishOnly({ services, address })
    try {
      return await work(services)
    } finally {
      await bus.stop()
      await services.database.close()
    }
  })
}

/** As `administer`, but without migrating the database. */
export async function onDatabase<T>(
  config: Config,
  name: string,
  work: (address: DatabaseAddress) => Promise<T>,
): Promise<T> {
  exitWhenStopped()
  const { address, stop } = await joinDatabase(config, `flightdeck ${name}`)
  try {
    return await work(address)
  } finally {
    await stop()
  }
}

/** The operating system user, as the actor in the audit log. */
export function commandLineActor(): Actor {
  return { type: 'cli', id: null, name: userName() }
}

function userName(): string | null {
  try {
    return userInfo().username
  } catch {
    // In a container the user id may have no name.
    return process.getuid ? `uid ${process.getuid()}` : null
  }
}

type OrganizationRow = Selectable<Tables['organizations']>

/** All organizations, the oldest first. */
export const allOrganizations = (services: Services): Promise<OrganizationRow[]> =>
  services.database.reader
    .kysely()
    .selectFrom('organizations')
    .select(columnsOf.organizations)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Acts in the organization with this id, with an owner's rights. */
export async function actIn(services: Services, id: string): Promise<Context> {
  const known = readOrganizationId(id)
  const row = (await allOrganizations(services)).find((each) => each.id === known)
  if (!row) throw new CommandError(`There is no organization ${id}.`)
  return administration(services, commandLineActor(), row)
}

/** Acts in the oldest organization, the one created at the first start. */
export async function actInFirst(services: Services): Promise<Context | undefined> {
  const [row] = await allOrganizations(services)
  return row && administration(services, commandLineActor(), row)
}
