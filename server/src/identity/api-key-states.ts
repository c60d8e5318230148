import type { Reader } from '../database/database.ts'
import { narrower, type Scope } from '../database/scope/scope.ts'
import type { AgentTerms } from '../database/tables/json-columns.ts'
import { readMany } from '../database/upkeep/citus/instead.ts'
import type { Organization } from '../values/organization.ts'
import type { ApiKeyClaims } from './api-key-text.ts'
import { type Asked, askedForMany, askedForOne } from './asked.ts'
import type { Agent, KeyRole, Role } from './permissions.ts'
import { type OrganizationColumns, organizationColumns, organizationIn } from './session-states.ts'

/** An API key as stored. */
export type ApiKeyState = {
  readonly id: string
  readonly hash: string
  readonly name: string
  readonly role: KeyRole
  /** The current role of the user who created it; null if the command line did. */
  readonly makerRole: Role | null
  /** At most what that user sees. */
  readonly scope: Scope | null
  readonly agent: Agent | null
  /** The user who created it is disabled or deleted. */
  readonly isOrphaned: boolean
  readonly organization: Organization
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

/** One lookup per requested key; `between` and `order by` as in `session-states.ts`. */
const statesOf = ({ from, tenant, key }: Asked) => `
  select k.id, k.key_hash, k.name, k.role, k.expires_at, k.revoked_at, k.maker_id, k.scope,
    k.agent, k.stopped_at,
    m.role as maker_role, m.disabled as maker_disabled,
    m.scope as maker_scope, ${organizationColumns}
  from ${from} (
    select * from api_keys
    where organization_id = ${tenant} and key_hash between ${key} and ${key}
    order by key_hash limit 1) k
  left join lateral (
    select * from users
    where organization_id = ${tenant} and id between k.maker_id and k.maker_id
    order by id limit 1) m on true
  cross join lateral (select * from organizations where id = ${tenant} limit 1) o`

export const apiKeyStateSql = statesOf(askedForOne)
export const apiKeyStatesSql = statesOf(askedForMany)

type StateRow = OrganizationColumns & {
  id: string
  key_hash: string
  name: string
  role: KeyRole
  expires_at: string | null
  revoked_at: string | null
  maker_id: string | null
  maker_role: Role | null
  maker_disabled: boolean | null
  scope: Scope | null
  agent: AgentTerms | null
  stopped_at: string | null
  maker_scope: Scope | null
}

/** The key for these claims; undefined if there is none. */
export async function readApiKeyState(
  reader: Reader,
  { organizationId, hash }: ApiKeyClaims,
): Promise<ApiKeyState | undefined> {
  const parameters = [organizationId, hash]
  const [row] = await reader.query<StateRow>({ sql: apiKeyStateSql, parameters })
  return row && stateOf(row)
}

/** The keys for these claims, in one statement where that can be; missing ones are omitted. */
export const readApiKeyStates = (
  reader: Reader,
  claims: readonly ApiKeyClaims[],
): Promise<ApiKeyState[]> =>
  readMany(reader, claims, {
    together: (all) => readTogether(reader, all),
    alone: (each) => readApiKeyState(reader, each),
  })

async function readTogether(
  reader: Reader,
  claims: readonly ApiKeyClaims[],
): Promise<ApiKeyState[]> {
  const organizationIds = claims.map(({ organizationId }) => organizationId)
  const hashes = claims.map(({ hash }) => hash)
  const parameters = [organizationIds, hashes]
  const rows = await reader.query<StateRow>({ sql: apiKeyStatesSql, parameters })
  return rows.map(stateOf)
}

const stateOf = (row: StateRow): ApiKeyState => ({
  id: row.id,
  hash: row.key_hash,
  name: row.name,
  role: row.role,
  makerRole: row.maker_role,
  scope: narrower(row.scope, row.maker_scope),
  agent: agentOf(row),
  isOrphaned: row.maker_id !== null && row.maker_disabled !== false,
  organization: organizationIn(row),
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
})

type AgentColumns = { readonly agent: AgentTerms | null; readonly stopped_at: string | null }

export const agentOf = ({ agent, stopped_at }: AgentColumns): Agent | null =>
  agent && { ...agent, isStopped: stopped_at !== null }
