import type { Database } from '../database/database.ts'

/** In whose name tokens are issued, and since when (seconds since the epoch). */
export type Issuer = { readonly name: string; readonly since: number }

const noteSql = `
  update installation set issuer = $1,
    issuer_since = case when issuer is distinct from $1 then $2 else issuer_since end
  returning issuer_since`

/**
 * Notes the name that tokens have from now on. Another one came with a new public URL, or an older
 * version: tokens with the former one are valid to their end.
 */
export async function noteIssuer(database: Database, name: string, now: Date): Promise<Issuer> {
  const parameters = [name, now.toISOString()]
  const noted = await database.transaction((tx) =>
    tx.write<{ issuer_since: string }>({ sql: noteSql, parameters }),
  )
  const since = Date.parse(noted[0]?.issuer_since ?? now.toISOString())
  return { name, since: Math.floor(since / 1000) }
}

/** A token of these keys with another name is valid if it is older than the present name. */
export const mayHaveIssued = ({ name, since }: Issuer, iss: unknown, issuedAt: number): boolean =>
  iss === name || (typeof iss === 'string' && issuedAt < since)
