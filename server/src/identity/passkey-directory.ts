import type { Reader, Transaction } from '../database/database.ts'

type Owner = { readonly organizationId: string; readonly userId: string }

const findSql = 'select organization_id, user_id from passkey_owners where credential_id = $1'
const enterSql = `
  insert into passkey_owners (credential_id, organization_id, user_id) values ($1, $2, $3)`
const strikeSql = 'delete from passkey_owners where credential_id = $1 and organization_id = $2'
const ofUserSql = `
  select credential_id from factors
  where organization_id = $1 and user_id = $2 and credential_id is not null`

/** Finds whose passkey it is, in any organization: who logs in by it alone does not name one. */
export async function findPasskeyOwner(
  reader: Reader,
  credentialId: string,
): Promise<Owner | undefined> {
  type OwnerRow = { organization_id: string; user_id: string }
  const [row] = await reader.query<OwnerRow>({ sql: findSql, parameters: [credentialId] })
  return row && { organizationId: row.organization_id, userId: row.user_id }
}

type Writing = { tx: Transaction; organization: { readonly id: string } }

/** One that someone has registered violates `passkey_owners_pkey`. */
export function registerPasskey(
  { tx, organization }: Writing,
  { credentialId, userId }: { credentialId: string; userId: string },
): void {
  tx.send({ sql: enterSql, parameters: [credentialId, organization.id, userId] })
}

export function unregisterPasskey({ tx, organization }: Writing, credentialId: string): void {
  tx.send({ sql: strikeSql, parameters: [credentialId, organization.id] })
}

/** Call before deleting the user, with whom the factors go. */
export async function unregisterPasskeysOf(writing: Writing, userId: string): Promise<void> {
  const parameters = [writing.organization.id, userId]
  const rows = await writing.tx.query<{ credential_id: string }>({ sql: ofUserSql, parameters })
  for (const { credential_id } of rows) unregisterPasskey(writing, credential_id)
}
