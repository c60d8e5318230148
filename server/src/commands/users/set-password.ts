import { setPassword } from '../../features/auth/password.ts'
import { randomPassword } from '../../identity/passwords.ts'
import { actIn, administer } from '../administer.ts'
import { action } from '../command.ts'
import { readEmail, readNewPassword } from '../read-account.ts'
import { readAll } from '../read-all.ts'
import { facts } from '../table.ts'
import { findUser } from './find-user.ts'

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
