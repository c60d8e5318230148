import type { Reader } from '../database/database.ts'
import type { Organization, WriteContext } from './context.ts'
import { LRUMap } from './lru.ts'
import type { Role } from './permissions.ts'
import type { Plan } from './plans.ts'
import type { Claims } from './tokens.ts'

/** A session as the store has it: who it belongs to, and which tokens of it still work. */
export type SessionState = {
  readonly userId: string
  readonly userName: string
  readonly role: Role
  readonly disabled: boolean
  readonly organization: Organization
  readonly tokenId: string
  readonly tokenIssuedAt: string
  readonly previousTokenId: string | null
  readonly previousTokenUntil: string | null
  readonly expiresAt: string
  readonly endedAt: string | null
}

export type Sessions = {
  /** At most a second old; undefined when there is none. */
  find(claims: Claims): Promise<SessionState | undefined>
  /** What this process knows of the organization's sessions may have changed just now. */
  forget(organizationId: string): void
}

/** The bound on how long another process can be unaware of a logout or a changed role. */
const freshForMs = 900
const mostRemembered = 50_000

const sessionSql = `
  select s.user_id, s.token_id, s.token_issued_at, s.previous_token_id, s.previous_token_until,
    s.expires_at, s.ended_at, u.name as user_name, u.role, u.disabled,
    o.id as organization_id, o.name as organization_name, o.plan, o.status, o.require_if_match
  from sessions s
  join users u on u.organization_id = s.organization_id and u.id = s.user_id
  join organizations o on o.id = s.organization_id
  where s.organization_id = $1 and s.id = $2`

type SessionRow = {
  user_id: string
  token_id: string
  token_issued_at: string
  previous_token_id: string | null
  previous_token_until: string | null
  expires_at: string
  ended_at: string | null
  user_name: string
  role: Role
  disabled: boolean
  organization_id: string
  organization_name: string
  plan: Plan
  status: 'active' | 'suspended'
  require_if_match: boolean
}

type Remembered = { state: Promise<SessionState | undefined>; until: number; generation: number }

/** Reads each session at most once a second, however many requests it makes. */
export function sessionsFrom(reader: Reader): Sessions {
  const remembered = new LRUMap<string, Remembered>(mostRemembered)
  const generations = new LRUMap<string, number>(mostRemembered)

  const generationOf = (organizationId: string) => generations.get(organizationId) ?? 0

  async function read({ organizationId, sessionId }: Claims): Promise<SessionState | undefined> {
    const parameters = [organizationId, sessionId]
    const [row] = await reader.query<SessionRow>({ sql: sessionSql, parameters })
    return row && stateOf(row)
  }

  return {
    find(claims) {
      const generation = generationOf(claims.organizationId)
      const known = remembered.get(claims.sessionId)
      const now = performance.now()
      if (known && known.until > now && known.generation === generation) return known.state
      const state = read(claims)
      remembered.set(claims.sessionId, { state, until: now + freshForMs, generation })
      state.catch(() => remembered.delete(claims.sessionId))
      return state
    },
    forget(organizationId) {
      generations.set(organizationId, generationOf(organizationId) + 1)
    },
  }
}

/** Ends every session of a user, and with it every token. */
export function endSessionsOf(ctx: WriteContext, userId: string): void {
  ctx.tx.send({ sql: endSql, parameters: [ctx.organization.id, userId, ctx.now] })
}

const endSql = `
  update sessions set ended_at = $3
  where organization_id = $1 and user_id = $2 and ended_at is null`

const stateOf = (row: SessionRow): SessionState => ({
  userId: row.user_id,
  userName: row.user_name,
  role: row.role,
  disabled: row.disabled,
  tokenId: row.token_id,
  tokenIssuedAt: row.token_issued_at,
  previousTokenId: row.previous_token_id,
  previousTokenUntil: row.previous_token_until,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  organization: {
    id: row.organization_id,
    name: row.organization_name,
    plan: row.plan,
    status: row.status,
    requireIfMatch: row.require_if_match,
  },
})
