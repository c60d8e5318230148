import { action } from '../command.ts'
import { more, pageOf, readAsked, reading } from '../pages.ts'
import { readKeyRole } from '../read.ts'
import { table } from '../table.ts'

type Key = {
  id: string
  organization_id: string
  name: string
  role: string
  key_hint: string
  maker_email: string | null
  expires_at: string | null
  last_used_at: string | null
  created_at: string
}

const sql = `
  select k.id, k.organization_id, k.name, k.role, k.key_hint, u.email as maker_email,
    k.expires_at, k.last_used_at, k.created_at
  from api_keys k
  left join users u on u.organization_id = k.organization_id and u.id = k.maker_id
  where k.revoked_at is null
    and ($1::text is null or k.organization_id = $1) and ($2::text is null or k.role = $2)
    and ($3::text is null
      or (k.organization_id, k.id) > (select organization_id, id from api_keys where id = $3))
  order by k.organization_id, k.id limit $4`

/** Lists the keys that are not revoked; the key itself is stored nowhere. */
export const apiKeysList = action({
  async run(given) {
    const asked = readAsked(given, readKeyRole)
    const { items, next } = await reading('api-keys list', (reader) =>
      pageOf<Key>(reader, { sql, asked }),
    )
    return { api_keys: items, next }
  },
  show: ({ api_keys, next }) =>
    table(
      ['ID', 'NAME', 'ROLE', 'ENDS IN', 'MADE BY', 'LAST USED', 'EXPIRES', 'ORGANIZATION'],
      api_keys.map((key) => [
        key.id,
        key.name,
        key.role,
        key.key_hint,
        key.maker_email ?? '–',
        key.last_used_at ?? 'never',
        key.expires_at ?? 'never',
        key.organization_id,
      ]),
    ) + more(next),
})
