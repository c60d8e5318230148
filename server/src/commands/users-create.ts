import { createMember } from '../features/members/members.ts'
import { actIn, administer } from './administer.ts'
import { command } from './command.ts'
import {
  readAll,
  readEmail,
  readName,
  readNewPassword,
  readOrganizationId,
  readRole,
} from './read.ts'
import { facts } from './table.ts'

export const usersCreate = command({
  usage: 'users create',
  summary: 'Add a user to an organization',
  options: {
    org: { value: 'org', about: 'id of the organization', required: true },
    email: { value: 'email', about: 'unique across all organizations', required: true },
    role: { value: 'role', about: 'owner, admin, editor, viewer or auditor', required: true },
    name: { value: 'name', about: 'default: the part before the @' },
    password: { value: 'password', about: 'default: generated and printed once', secret: true },
  },
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
