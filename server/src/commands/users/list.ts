import type { Role } from '../../identity/permissions.ts'
import { action } from '../command.ts'
import { more, pageOf, readAsked, reading } from '../pages.ts'
import { readRole } from '../read.ts'
import { table } from '../table.ts'

type User = {
  id: string
  organization_id: string
  email: string
  name: string
  role: Role
  disabled: boolean
  last_login_at: string | null
  created_at: string
}

const sql = `
  select id, organization_id, email, name, role, disabled, last_login_at, created_at
  from users
  where ($1::text is null or organization_id = $1) and ($2::text is null or role = $2)
    and ($3::text is null
      or (organization_id, id) > (select organization_id, id from users where id = $3))
  order by organization_id, id limit $4`

export const usersList = action({
  async run(given) {
    const asked = readAsked(given, readRole)
    const { items, next } = await reading('users list', (reader) =>
      pageOf<User>(reader, { sql, asked }),
    )
    return { users: items, next }
  },
  show: ({ users, next }) =>
    table(
      ['EMAIL', 'NAME', 'ROLE', 'STATE', 'LAST LOGIN', 'ORGANIZATION', 'ID'],
      users.map((user) => [
        user.email,
        user.name,
        user.role,
        user.disabled ? 'disabled' : 'enabled',
        user.last_login_at ?? 'never',
        user.organization_id,
        user.id,
      ]),
    ) + more(next),
})
