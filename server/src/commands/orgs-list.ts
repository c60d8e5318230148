import { toOrganization } from '../features/organizations/organization.ts'
import { administer, allOrganizations } from './administer.ts'
import { command } from './command.ts'
import { table } from './table.ts'

export const orgsList = command({
  usage: 'orgs list',
  summary: 'List all organizations, oldest first',
  run: () =>
    administer('orgs list', async (services) =>
      (await allOrganizations(services)).map(toOrganization),
    ),
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
