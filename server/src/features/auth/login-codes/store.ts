import type { Reader, Transaction } from '../../../database/database.ts'
import type { Services } from '../../../kernel/context.ts'
import type { Code } from './code.ts'
import { hashesOf } from './code.ts'

/** A login that waits, or was answered. Codes are of no organization until then: no query names one. */
export type StoredCode = {
  readonly code_hash: string
  readonly secret_hash: string
  readonly ip: string | null
  readonly user_agent: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly organization_id: string | null
  readonly user_id: string | null
  readonly session_id: string | null
  readonly refused: boolean
  readonly used_at: string | null
}

type AskedBy = Pick<StoredCode, 'ip' | 'user_agent' | 'created_at' | 'expires_at'>

const insertSql = `
  insert into login_codes (code_hash, secret_hash, ip, user_agent, created_at, expires_at, refused)
  values ($1, $2, $3, $4, $5, $6, false)`

export async function storeCode(services: Services, { secret }: Code, by: AskedBy): Promise<void> {
  const { code_hash, secret_hash } = hashesOf(secret)
  const { ip, user_agent, created_at, expires_at } = by
  const parameters = [code_hash, secret_hash, ip, user_agent, created_at, expires_at]
  await services.database.transaction(async (tx) => tx.send({ sql: insertSql, parameters }))
}

const findSql = `
  select code_hash, secret_hash, ip, user_agent, created_at, expires_at, organization_id,
    user_id, session_id, refused, used_at
  from login_codes where code_hash = $1`

export async function findCode(
  reader: Pick<Reader, 'query'>,
  codeHash: string,
): Promise<StoredCode | undefined> {
  const [row] = await reader.query<StoredCode>({ sql: findSql, parameters: [codeHash] })
  return row
}

type Answering = {
  organizationId: string
  userId: string
  sessionId: string
  refused: boolean
  now: string
}

const answerSql = `
  update login_codes set organization_id = $2, user_id = $3, session_id = $4, refused = $5
  where code_hash = $1 and session_id is null and expires_at > $6 returning code_hash`

/** Whether it still waited. */
export async function answerCode(
  tx: Transaction,
  codeHash: string,
  { organizationId, userId, sessionId, refused, now }: Answering,
): Promise<boolean> {
  const parameters = [codeHash, organizationId, userId, sessionId, refused, now]
  return (await tx.write({ sql: answerSql, parameters })).length === 1
}

const useSql = `
  update login_codes set used_at = $2
  where code_hash = $1 and used_at is null and not refused and expires_at > $2 returning code_hash`

/** Whether no one has used it. */
export async function useCode(tx: Transaction, codeHash: string, now: string): Promise<boolean> {
  return (await tx.write({ sql: useSql, parameters: [codeHash, now] })).length === 1
}

const keptMs = 60 * 60 * 1_000
const purgeSql = 'delete from login_codes where expires_at < $1'

/** Deletes those that ended more than an hour ago; addresses are limited in how many they make. */
export async function purgeLoginCodes(services: Services): Promise<Record<string, number>> {
  const before = new Date(services.clock.now().getTime() - keptMs).toISOString()
  await services.database.transaction(async (tx) =>
    tx.send({ sql: purgeSql, parameters: [before] }),
  )
  return {}
}
