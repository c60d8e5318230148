import { createMember } from '../features/organizations/members.ts'
import { actIn, administer } from './administer.ts'
import { command } from './command.ts'
import { readEmail, readName, readRole } from './read.ts'
import { facts } from './table.ts'

export const usersCreate = command({
  usage: 'users create',
  summary: 'Add a user to an organization',
  options: {
    org: { value: 'org', about: 'id of the organization', required: true },
    email: { value: 'email', about: 'unique in the whole service', required: true },
    role: { value: 'role', about: 'owner, admin, editor, viewer or auditor', required: true },
    name: { value: 'name', about: 'left out: what stands before the @' },
    password: { value: 'password', about: 'left out: made, and printed once' },
  },
  async run({ text, option }) {
    const email = readEmail(text('email'))
    const account = {
      email,
      name: readName(option('name') ?? email.slice(0, email.indexOf('@'))),
      role: readRole(text('role')),
    }
    return administer('users create', async (services) => {
      const ctx = await actIn(services, text('org'))
      const wish = { ...account, password: option('password') ?? null }
      const { temporary_password, ...member } = await createMember(ctx, wish)
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
