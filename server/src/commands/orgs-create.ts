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
  summary: 'Make an organization with its first owner',
  options: {
    name: { value: 'name', about: 'of the organization', required: true },
    plan: { value: 'plan', about: 'free, operator, captain or zion', required: true },
    sandbox: { about: 'its clock can be moved, and its content be thrown away' },
    'owner-email': { value: 'email', about: 'left out: one that cannot get mail is made' },
    'owner-password': {
      value: 'password',
      about: 'left out: made, and printed once',
      secret: true,
    },
    'owner-name': { value: 'name', about: 'left out: Owner' },
  },
  async run({ text, option, flag }) {
    const given = option('owner-password')
    const { name, plan, email, ownerName, password } = readAll({
      name: () => readName(text('name')),
      plan: () => readPlan(text('plan')),
      email: () => readEmail(option('owner-email') ?? madeUpEmail()),
      ownerName: () => readName(option('owner-name') ?? 'Owner'),
      password: () => (given === undefined ? randomPassword() : readNewPassword(given)),
    })
    const wish = { name, plan, sandbox: flag('sandbox') }
    return administer('orgs create', async (services) => {
      const owner = { email, name: ownerName, password }
      const made = await createOrganization(services, commandLineActor(), { ...wish, owner })
      const ctx = await actIn(services, made.organizationId)
      return {
        ...(await getOrganization(ctx)),
        owner: await getMember(ctx, made.ownerId),
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

const madeUpEmail = () => `owner-${randomPassword().slice(0, 11)}@flightdeck.local`
