import { setPassword } from '../features/auth/password.ts'
import { findEmailOwner } from '../identity/email-directory.ts'
import { randomPassword } from '../identity/passwords.ts'
import type { Services } from '../kernel/context.ts'
import { accountOf } from '../values/email.ts'
import { actIn, administer } from './administer.ts'
import { action, CommandError } from './command.ts'
import { readAll } from './read.ts'
import { readEmail, readNewPassword } from './read-account.ts'
import { facts } from './table.ts'

export const usersSetPassword = action({
  async run({ text, option }) {
    const given = option('password')
    const { email, password } = readAll({
      email: () => readEmail(text('email')),
      password: () => (given === undefined ? randomPassword() : readNewPassword(given)),
    })
    return administer('users set-password', async (services) => {
      const user = await findUser(services, email)
      const ctx = await actIn(services, user.organization_id)
      await setPassword(ctx, user.id, password)
      return { ...user, password: given === undefined ? password : null }
    })
  },
  show: ({ email, password }) =>
    facts({
      User: email,
      ...(password && { Password: `${password}   (shown this once)` }),
      Sessions: 'all ended',
    }),
})

async function findUser({ database }: Services, email: string) {
  const owner = await findEmailOwner(database.reader, accountOf(email))
  const user =
    owner &&
    (await database.reader
      .kysely()
      .selectFrom('users')
      .select(['id', 'email', 'name', 'role', 'organization_id'])
      .where('organization_id', '=', owner.organizationId)
      .where('id', '=', owner.userId)
      .executeTakeFirst())
  if (!user) throw new CommandError(`There is no user with the email ${email}.`)
  return user
}
