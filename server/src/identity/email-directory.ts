import type { Reader, Transaction } from '../database/database.ts'

/** The user that an email address belongs to. */
export type EmailOwner = { readonly organizationId: string; readonly userId: string }

const findSql = 'select organization_id, user_id from user_emails where email = $1'
const enterSql = 'insert into user_emails (email, organization_id, user_id) values ($1, $2, $3)'
const strikeSql = 'delete from user_emails where email = $1'

/** Finds the user of an address in any organization: a login does not name one. */
export async function findEmailOwner(
  reader: Reader,
  email: string,
): Promise<EmailOwner | undefined> {
  type EmailRow = { organization_id: string; user_id: string }
  const [row] = await reader.query<EmailRow>({ sql: findSql, parameters: [email] })
  return row && { organizationId: row.organization_id, userId: row.user_id }
}

type Entry = { readonly id: string; readonly email: string }

/** Insert the user first. A taken address violates `user_emails_pkey`. */
export function registerEmail(
  { tx, organization }: { tx: Transaction; organization: { readonly id: string } },
  { id, email }: Entry,
): void {
  tx.send({ sql: enterSql, parameters: [email, organization.id, id] })
}

/** Call before deleting the user. */
export function unregisterEmail({ tx }: { tx: Transaction }, { email }: Entry): void {
  tx.send({ sql: strikeSql, parameters: [email] })
}
