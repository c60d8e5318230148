import type { Reader, Transaction } from '../database/database.ts'

/** Where the user of an address is. */
export type EmailOwner = { readonly organizationId: string; readonly userId: string }

const findSql = 'select organization_id, user_id from user_emails where email = $1'
const enterSql = 'insert into user_emails (email, organization_id, user_id) values ($1, $2, $3)'
const strikeSql = 'delete from user_emails where email = $1'

/** Whose an address is, in any organization: who logs in says none. */
export async function findEmailOwner(
  reader: Reader,
  email: string,
): Promise<EmailOwner | undefined> {
  type Row = { organization_id: string; user_id: string }
  const [row] = await reader.query<Row>({ sql: findSql, parameters: [email] })
  return row && { organizationId: row.organization_id, userId: row.user_id }
}

type Entry = { readonly id: string; readonly email: string }

/** After the user; one whose address is taken violates `user_emails_pkey`. */
export function registerEmail(
  { tx, organization }: { tx: Transaction; organization: { readonly id: string } },
  { id, email }: Entry,
): void {
  tx.send({ sql: enterSql, parameters: [email, organization.id, id] })
}

/** Before the user goes. */
export function unregisterEmail({ tx }: { tx: Transaction }, { email }: Entry): void {
  tx.send({ sql: strikeSql, parameters: [email] })
}
