import { userInfo } from 'node:os'
import { readConfig } from '../config/config.ts'
import { environment } from '../config/environment.ts'
import { migrate } from '../database/upkeep/migrate.ts'
import { administration, type Context, type Services } from '../kernel/context.ts'
import { openServices } from '../services.ts'
import { publishOnly } from '../signals/bus.ts'
import type { Actor } from '../values/organization.ts'
import { allOrganizations } from './all-organizations.ts'
import { CommandError } from './command.ts'
import { type Creation, onDatabase } from './on-database.ts'
import { readOrganizationId } from './read.ts'

/** Runs `work` on the service's database, whether or not the service is running. */
export async function administer<T>(
  name: string,
  work: (services: Services) => Promise<T>,
  creation: Creation = {},
): Promise<T> {
  const config = readConfig(environment())
  return onDatabase(config, { name, ...creation }, async (address) => {
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

/** Acts in the organization with this id, with an owner's rights. */
export async function actIn(services: Services, id: string): Promise<Context> {
  const known = readOrganizationId(id)
  const row = (await allOrganizations(services.database)).find((each) => each.id === known)
  if (!row) throw new CommandError(`There is no organization ${id}.`)
  return administration(services, commandLineActor(), row)
}

/** Acts in the oldest organization, the one created at the first start. */
export async function actInFirst(services: Services): Promise<Context | undefined> {
  const [row] = await allOrganizations(services.database)
  return row && administration(services, commandLineActor(), row)
}
