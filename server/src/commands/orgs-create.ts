import { getMember } from '../features/members/members.ts'
import { createOrganization } from '../features/organizations/create.ts'
import { getOrganization } from '../features/organizations/organization.ts'
import { randomPassword } from '../identity/passwords.ts'
import { actIn, administer, commandLineActor } from './administer.ts'
import { command } from './command.ts'
import { readAll, readEmail, readName, readNewPassword, readPlan } from './read.ts'
import { facts } from './table.ts'

export const orgsCreate = command({
  usage: 'orgs create',
  summary: 'Create an organization with its first owner',
  options: {
    name: { value: 'name', about: 'name of the organization', required: true },
    plan: { value: 'plan', about: 'free, operator, captain or zion', required: true },
    sandbox: { about: 'for tests: its clock can be moved and its data reset' },
    'owner-email': { value: 'email', about: 'default: a generated one that gets no mail' },
    'owner-password': {
      value: 'password',
      about: 'default: generated and printed once',
      secret: true,
    },
    'owner-name': { value: 'name', about: 'default: Owner' },
  },
  async run({ text, option, flag }) {
    const given = option('owner-password')
    const { name, plan, email, ownerName, password } = readAll({
      name: () => readName(text('name')),
      plan: () => readPlan(text('plan')),
      email: () => readEmail(option('owner-email') ?? generatedEmail()),
      ownerName: () => readName(option('owner-name') ?? 'Owner'),
      password: () => (given === undefined ? randomPassword() : readNewPassword(given)),
    })
    const sandbox = flag('sandbox')
    return administer('orgs create', async (services) => {
      const owner = { email, name: ownerName, password }
      const created = await createOrganization(services, commandLineActor(), {
        name,
        plan,
        sandbox,
        owner,
      })
      const ctx = await actIn(services, created.organizationId)
      return {
        ...(await getOrganization(ctx)),
        owner: await getMember(ctx, created.ownerId),
        password: given === undefined ? password : null,
      }
    })
  },
  show: ({ id, name, plan, sandbox, owner, password }) =>
    facts({
      Organization: `${name} (${plan}${sandbox ? ', sandbox' : ''})`,
      Id: id,
      Owner: owner.email,
      ...(password && { Password: `${password}   (shown this once)` }),
    }),
})

const generatedEmail = () => `owner-${randomPassword().slice(0, 11)}@flightdeck.local`
