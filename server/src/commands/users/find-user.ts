import { findEmailOwner } from '../../identity/email-directory.ts'
import type { Services } from '../../kernel/context.ts'
import { accountOf } from '../../values/email.ts'
import { CommandError } from '../command.ts'

/** An email address is unique across all organizations. */
export async function findUser({ database }: Services, email: string) {
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
