import { readConfig } from '../../config/config.ts'
import { environment } from '../../config/environment.ts'
import { openDatabase } from '../../database/database.ts'
import { migrate } from '../../database/upkeep/migrate.ts'
import { toOrganization } from '../../features/organizations/present.ts'
import { allOrganizations } from '../all-organizations.ts'
import { action } from '../command.ts'
import { onDatabase } from '../on-database.ts'
import { table } from '../table.ts'

export const orgsList = action({
  run: () => {
    const config = readConfig(environment())
    return onDatabase(config, { name: 'orgs list' }, async (address) => {
      await migrate(address)
      const database = openDatabase(address)
      try {
        return (await allOrganizations(database)).map((row) => toOrganization({ config }, row))
      } finally {
        await database.close()
      }
    })
  },
  show: (organizations) =>
    table(
      ['ID', 'NAME', 'PLAN', 'SANDBOX', 'STATUS', 'CREATED'],
      organizations.map(({ id, name, plan, sandbox, status, created_at }) => [
        id,
        name,
        plan,
        sandbox ? 'yes' : 'no',
        status,
        created_at,
      ]),
    ),
})
