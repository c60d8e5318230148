import { sql } from 'kysely'
import { type SealedTable, sealedFor } from '../../../crypto/sealed-table.ts'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import { columnsOf } from '../../../database/tables/types.ts'
import { type Context, nowText, type Services } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/rows.ts'

export type StoredFactor = Row<'factors'>

/** Bound to the factor, so that ciphertexts cannot be swapped. */
const purposeOf = (id: string) => `factors.secret ${id}`

export const sealedFactors: SealedTable = {
  table: 'factors',
  key: { organization_id: 'text', id: 'text' },
  columns: { secret_sealed: sealedFor(({ id }) => purposeOf(String(id))) },
}

export const sealTimeSecret = ({ crypto }: Services, id: string, secret: string): string =>
  crypto.cipher.seal(secret, purposeOf(id))

/** The secret of time codes; null for another kind of factor. */
export const timeSecretOf = (
  { crypto }: Services,
  { id, secret_sealed }: StoredFactor,
): string | null => secret_sealed && crypto.cipher.open(secret_sealed, purposeOf(id))

/** The factors that guard the person's logins, and recovery codes. */
export const verifiedFactorsOf = (ctx: Context, userId: string): Promise<StoredFactor[]> =>
  rowsOf(ctx, 'factors')
    .where('user_id', '=', userId)
    .where('verified_at', 'is not', null)
    .select(columnsOf.factors)
    .execute()

/** The condition for verified factors, and those that may still be. */
export const isThere = ({ services }: Context) =>
  sql<boolean>`(expires_at is null or expires_at > ${nowText(services)})`

/** Recovery codes stand in for a factor, and are none alone. */
export const isFactor = ({ kind }: Pick<StoredFactor, 'kind'>): boolean => kind !== 'recovery_codes'
