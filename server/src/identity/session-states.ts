import { randomUUID } from 'node:crypto'
import type { Reader } from '../database/database.ts'
import {
  type Organization,
  type OrganizationFacts,
  organizationOf,
} from '../values/organization.ts'
import type { Role } from './permissions.ts'
import type { Claims } from './tokens.ts'

/** A token that a refresh has replaced, and until when it works nevertheless. */
export type ReplacedToken = {
  readonly id: string
  /** By the clock of the database, which all processes share. */
  readonly until: string
  /** The process that has replaced it, and until when by that one's own clock. */
  readonly process: string
  readonly until_there: string
}

/** What time it is, here and in the database. */
export type Times = { readonly now: string; readonly databaseNow: string }

/** Clocks of processes differ by minutes: each goes by its own only for what it wrote itself. */
export const thisProcess = randomUUID()

/** A session as the store has it: who it belongs to, and which tokens of it still work. */
export type SessionState = {
  readonly id: string
  readonly userId: string
  readonly userName: string
  readonly role: Role
  readonly disabled: boolean
  readonly organization: Organization
  readonly tokenId: string
  readonly tokenIssuedAt: string
  readonly replacedTokens: readonly ReplacedToken[]
  readonly expiresAt: string
  readonly endedAt: string | null
  /** How far the database's clock is ahead of `performance.now()`. */
  readonly databaseAheadMs: number
}

/** Of `organizations o`, what every credential brings along. */
export const organizationColumns = `o.id as organization_id, o.name as organization_name, o.plan,
  o.status, o.require_if_match, o.clock_ahead_ms`

/**
 * A lookup by primary key for each session asked for. Said with `=` and joins, the planner takes
 * other indexes and orders while tables are small, and is slow once one organization is large;
 * with `between` and `order by` the primary key is the cheapest always.
 */
const statesOf = (asked: string) => `
  select s.id, s.user_id, s.token_id, s.token_issued_at, s.replaced_tokens, s.expires_at,
    s.ended_at, u.name as user_name, u.role, u.disabled, clock_timestamp() as read_at,
    ${organizationColumns}
  from ${asked} as asked (organization_id, id)
  cross join lateral (
    select * from sessions
    where organization_id = asked.organization_id and id between asked.id and asked.id
    order by id limit 1) s
  cross join lateral (
    select * from users
    where organization_id = s.organization_id and id between s.user_id and s.user_id
    order by id limit 1) u
  cross join lateral (select * from organizations where id = s.organization_id limit 1) o`

/** As an array of one it would be planned at each reading. */
export const stateSql = statesOf('(values ($1::text, $2::text))')
export const statesSql = statesOf('unnest($1::text[], $2::text[])')

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
  read_at: string
}

/** Whether it was replaced so lately that it still works. */
export const isStillValid = (token: ReplacedToken, { now, databaseNow }: Times): boolean =>
  token.process === thisProcess ? now < token.until_there : databaseNow < token.until

/** The time of the database, as whoever read the state then can tell without asking. */
export const databaseNow = ({ databaseAheadMs }: SessionState): string =>
  new Date(performance.now() + databaseAheadMs).toISOString()

/** The session that the claims name; undefined when there is none. */
export async function readState(reader: Reader, claims: Claims): Promise<SessionState | undefined> {
  const parameters = [claims.organizationId, claims.sessionId]
  const [row] = await reader.query<StateRow>({ sql: stateSql, parameters })
  return row && stateOf(row)
}

/** The sessions that these claims name, in one statement; those that are no more are left out. */
export async function readStates(
  reader: Reader,
  claims: readonly Claims[],
): Promise<SessionState[]> {
  const organizationIds = claims.map(({ organizationId }) => organizationId)
  const sessionIds = claims.map(({ sessionId }) => sessionId)
  const parameters = [organizationIds, sessionIds]
  const rows = await reader.query<StateRow>({ sql: statesSql, parameters })
  return rows.map(stateOf)
}

const stateOf = (row: StateRow): SessionState => ({
  id: row.id,
  userId: row.user_id,
  userName: row.user_name,
  role: row.role,
  disabled: row.disabled,
  tokenId: row.token_id,
  tokenIssuedAt: row.token_issued_at,
  replacedTokens: row.replaced_tokens,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  databaseAheadMs: Date.parse(row.read_at) - performance.now(),
  organization: organizationIn(row),
})

export const organizationIn = (row: OrganizationColumns): Organization =>
  organizationOf({ ...row, id: row.organization_id, name: row.organization_name })
