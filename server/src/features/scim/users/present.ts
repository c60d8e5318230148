import type { Context } from '../../../kernel/context.ts'
import { addressOf } from '../protocol/addresses.ts'
import { userSchema } from '../protocol/documents.ts'
import type { GroupOfUser, StoredUser } from './stored.ts'

/** A member as SCIM has it. The address is the only email, and `userName`. */
export function toUser(ctx: Context, user: StoredUser, groups: readonly GroupOfUser[] = []) {
  return {
    schemas: [userSchema],
    id: user.id,
    ...(user.external_id !== null && { externalId: user.external_id }),
    userName: user.email,
    name: {
      formatted: user.name,
      ...(user.given_name !== null && { givenName: user.given_name }),
      ...(user.family_name !== null && { familyName: user.family_name }),
    },
    displayName: user.name,
    active: !user.disabled,
    emails: [{ value: user.email, type: 'work', primary: true }],
    groups: groups.map(({ id, display_name }) => ({
      value: id,
      display: display_name,
      $ref: addressOf(ctx, 'Groups', id),
    })),
    meta: {
      resourceType: 'User',
      created: user.created_at,
      lastModified: user.updated_at,
      location: addressOf(ctx, 'Users', user.id),
    },
  }
}
