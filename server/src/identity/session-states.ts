import { randomUUID } from 'node:crypto'
import type { Reader } from '../database/database.ts'
import type { Scope } from '../database/scope/scope.ts'
import type { ReplacedToken } from '../database/tables/json-columns.ts'
import { readMany } from '../database/upkeep/citus/instead.ts'
import {
  type Organization,
  type OrganizationFacts,
  organizationOf,
} from '../values/organization.ts'
import { type Asked, askedForMany, askedForOne } from './asked.ts'
import type { Role } from './permissions.ts'
import type { Claims } from './tokens.ts'

/** The current time by the local and the database clock. */
export type Times = { readonly now: string; readonly databaseNow: string }

/**
 * Process clocks may differ by minutes: each process uses its own clock only for its own tokens.
 */
export const thisProcess = randomUUID()

/** A session as stored: its user, and its valid tokens. */
export type SessionState = {
  readonly id: string
  readonly userId: string
  readonly userName: string
  readonly role: Role
  readonly disabled: boolean
  /** Whether a second factor guards the user's logins, or a provider does. */
  readonly hasFactor: boolean
  readonly scope: Scope | null
  readonly organization: Organization
  readonly tokenId: string
  readonly tokenIssuedAt: string
  readonly replacedTokens: readonly ReplacedToken[]
  /** When the person last proved who it is. */
  readonly authenticatedAt: string
  readonly expiresAt: string
  readonly endedAt: string | null
  /** Offset of the database clock from `performance.now()`. */
  readonly databaseAheadMs: number
}

/** Columns of `organizations o` that every credential includes. */
export const organizationColumns = `o.id as organization_id, o.name as organization_name, o.plan,
  o.status, o.require_if_match, o.require_second_factor, o.time_zone, o.clock_ahead_ms`

/**
 * One primary-key lookup per requested session. With `=` and joins the planner picks other indexes
 * while tables are small, and is slow once an organization is large; `between` and `order by`
 * always make the primary key cheapest.
 */
const statesOf = ({ from, tenant, key }: Asked) => `
  select s.id, s.user_id, s.token_id, s.token_issued_at, s.replaced_tokens, s.expires_at,
    s.ended_at, s.created_at, s.sso_issuer, s.authenticated_at, u.name as user_name, u.role, u.disabled,
    u.second_factor, u.scope, clock_timestamp() as read_at,
    ${organizationColumns}
  from ${from} (
    select * from sessions
    where organization_id = ${tenant} and id between ${key} and ${key}
    order by id limit 1) s
  cross join lateral (
    select * from users
    where organization_id = ${tenant} and id between s.user_id and s.user_id
    order by id limit 1) u
  cross join lateral (select * from organizations where id = ${tenant} limit 1) o`

/** An array parameter would be planned on every execution. */
export const stateSql = statesOf(askedForOne)
export const statesSql = statesOf(askedForMany)

export type OrganizationColumns = Omit<OrganizationFacts, 'id' | 'name'> & {
  organization_id: string
  organization_name: string
}

type StateRow = OrganizationColumns & {
  id: string
  user_id: string
  token_id: string
  token_issued_at: string
  replaced_tokens: readonly ReplacedToken[]
  expires_at: string
  ended_at: string | null
  user_name: string
  role: Role
  disabled: boolean
  second_factor: boolean
  created_at: string
  sso_issuer: string | null
  authenticated_at: string | null
  scope: Scope | null
  read_at: string
}

/** Whether it was replaced so recently that it still works. */
export const isStillValid = (token: ReplacedToken, { now, databaseNow }: Times): boolean =>
  token.process === thisProcess ? now < token.until_there : databaseNow < token.until

/** The current database time, extrapolated from the read. */
export const databaseNow = ({ databaseAheadMs }: SessionState): string =>
  new Date(performance.now() + databaseAheadMs).toISOString()

/** The session named by the claims; undefined if there is none. */
export async function readState(reader: Reader, claims: Claims): Promise<SessionState | undefined> {
  const parameters = [claims.organizationId, claims.sessionId]
  const [row] = await reader.query<StateRow>({ sql: stateSql, parameters })
  return row && stateOf(row)
}

/** The sessions named by the claims, in one statement where that can be; missing ones are omitted. */
export const readStates = (reader: Reader, claims: readonly Claims[]): Promise<SessionState[]> =>
  readMany(reader, claims, {
    together: (all) => readTogether(reader, all),
    alone: (each) => readState(reader, each),
  })

async function readTogether(reader: Reader, claims: readonly Claims[]): Promise<SessionState[]> {
  const organizationIds = claims.map(({ organizationId }) => organizationId)
  const sessionIds = claims.map(({ sessionId }) => sessionId)
  const parameters = [organizationIds, sessionIds]
  const rows = await reader.query<StateRow>({ sql: statesSql, parameters })
  return rows.map(stateOf)
}

/** The age of a login whose provider does not say when it was. */
const never = new Date(0).toISOString()

const stateOf = (row: StateRow): SessionState => ({
  id: row.id,
  userId: row.user_id,
  userName: row.user_name,
  role: row.role,
  disabled: row.disabled,
  hasFactor: row.second_factor || row.sso_issuer !== null,
  scope: row.scope,
  tokenId: row.token_id,
  tokenIssuedAt: row.token_issued_at,
  replacedTokens: row.replaced_tokens,
  authenticatedAt: row.sso_issuer === null ? row.created_at : (row.authenticated_at ?? never),
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  databaseAheadMs: Date.parse(row.read_at) - performance.now(),
  organization: organizationIn(row),
})

export const organizationIn = (row: OrganizationColumns): Organization =>
  organizationOf({ ...row, id: row.organization_id, name: row.organization_name })
