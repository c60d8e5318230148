import { createMember } from '../../features/members/members.ts'
import { actIn, administer } from '../administer.ts'
import { action } from '../command.ts'
import { readOrganizationId, readRole } from '../read.ts'
import { readEmail, readName, readNewPassword } from '../read-account.ts'
import { readAll } from '../read-all.ts'
import { facts } from '../table.ts'

export const usersCreate = action({
  async run({ text, option }) {
    const [name, password] = [option('name'), option('password')]
    const { org, ...account } = readAll({
      org: () => readOrganizationId(text('org')),
      email: () => readEmail(text('email')),
      role: () => readRole(text('role')),
      name: () => (name === undefined ? undefined : readName(name)),
      password: () => (password === undefined ? null : readNewPassword(password)),
    })
    return administer('users create', async (services) => {
      const ctx = await actIn(services, org)
      const { email } = account
      const body = { ...account, name: account.name ?? email.slice(0, email.indexOf('@')) }
      const { temporary_password, ...member } = await createMember(ctx, body)
      return { ...member, organization_id: ctx.organization.id, password: temporary_password }
    })
  },
  show: ({ id, email, role, password }) =>
    facts({
      User: `${email} (${role})`,
      Id: id,
      ...(password && { Password: `${password}   (shown this once)` }),
    }),
})
