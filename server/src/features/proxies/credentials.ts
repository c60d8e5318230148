import type { Cipher } from '../../crypto/cipher.ts'
import { type SealedTable, sealedFor } from '../../crypto/sealed-table.ts'
import type { Row } from '../../database/tables/tenant-tables.ts'
import { audited } from '../../kernel/change.ts'
import type { Context } from '../../kernel/context.ts'
import { oneOf } from '../../kernel/rows.ts'
import { showOnce } from '../../kernel/shown-once.ts'
import type { ProxyCredentials } from './schema.ts'

type Sealed = Pick<Row<'proxies'>, 'username_sealed' | 'password_sealed'>

// Bound to column and proxy id, so that ciphertexts cannot be swapped.
const usernamePurpose = (id: string) => `proxies.username ${id}`
const passwordPurpose = (id: string) => `proxies.password ${id}`

export const sealCredentials = (
  cipher: Cipher,
  id: string,
  { username, password }: ProxyCredentials,
): Sealed => ({
  username_sealed: username === null ? null : cipher.seal(username, usernamePurpose(id)),
  password_sealed: password === null ? null : cipher.seal(password, passwordPurpose(id)),
})

export const openUsername = (cipher: Cipher, { id, username_sealed }: Row<'proxies'>) =>
  username_sealed === null ? null : cipher.open(username_sealed, usernamePurpose(id))

export const openCredentials = (cipher: Cipher, row: Row<'proxies'>): ProxyCredentials => ({
  username: openUsername(cipher, row),
  password:
    row.password_sealed === null ? null : cipher.open(row.password_sealed, passwordPurpose(row.id)),
})

export const sealedProxies: SealedTable = {
  table: 'proxies',
  key: { organization_id: 'text', id: 'text' },
  columns: {
    username_sealed: sealedFor(({ id }) => usernamePurpose(String(id))),
    password_sealed: sealedFor(({ id }) => passwordPurpose(String(id))),
  },
}

/** Returns both and records the access in the audit log. */
export const revealCredentials = (ctx: Context, id: string): Promise<ProxyCredentials> =>
  showOnce(ctx, async (ctx) => {
    const row = await oneOf(ctx, 'proxies', id)
    const resource = { type: 'proxy', id, name: row.name }
    const entry = { action: 'proxy.credentials_revealed', resource }
    const shown = openCredentials(ctx.services.crypto.cipher, row)
    return { kept: await audited(ctx, entry, async () => ({})), shown }
  })
