import type { Services } from '../../kernel/context.ts'
import { purge } from '../../kernel/purge.ts'

/** Until then a deleted key is answered `token_revoked`, afterwards `invalid_token`. */
const keptAfterRevocationMs = 90 * 24 * 60 * 60 * 1000

const purgeSql = `
  delete from api_keys where ctid = any(array(
    select ctid from api_keys where revoked_at < $1
    order by revoked_at limit $2 for update skip locked))
  returning 1`

/** Deletes keys that were revoked more than 90 days ago. */
export const purgeApiKeys = ({ database, clock }: Services, signal: AbortSignal) =>
  purge(
    database,
    { sql: purgeSql, oldest: new Date(clock.now().getTime() - keptAfterRevocationMs) },
    signal,
  )
