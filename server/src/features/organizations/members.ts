import { change } from '../../kernel/change.ts'
import type { WriteContext } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import type { Role } from '../../kernel/permissions.ts'
import { insert, type Row } from '../../kernel/rows.ts'
import type { Member } from './schema.ts'

export type Account = { email: string; name: string; role: Role; password_hash: string }

/** Adds a user to the organization of the open transaction. */
export const addUser = (ctx: WriteContext, account: Account): Promise<Member> =>
  change(ctx, 'member.created', async (ctx) => {
    const row = {
      ...account,
      id: newId('user'),
      email: account.email.trim().toLowerCase(),
      disabled: false,
      last_login_at: null,
      version: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    insert(ctx, 'users', row)
    return { before: null, after: toMember({ organization_id: ctx.organization.id, ...row }) }
  })

export const toMember = (row: Row<'users'>): Member => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role as Role,
  disabled: row.disabled,
  last_login_at: row.last_login_at,
  version: row.version,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
