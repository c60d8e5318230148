import { getMember } from '../../features/members/members.ts'
import { createOrganization } from '../../features/organizations/create.ts'
import { getOrganization } from '../../features/organizations/organization.ts'
import { randomPassword } from '../../identity/passwords.ts'
import type { Services } from '../../kernel/context.ts'
import { actIn, administer, commandLineActor } from '../administer.ts'
import { action } from '../command.ts'
import { readPlan } from '../read.ts'
import { readEmail, readName, readNewPassword } from '../read-account.ts'
import { readAll } from '../read-all.ts'
import { facts } from '../table.ts'

export const orgsCreate = action({
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
    const create = async (services: Services) => {
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
    }
    return administer('orgs create', create, { mayCreate: true })
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
