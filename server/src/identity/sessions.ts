import type { Reader, Transaction } from '../database/database.ts'
import type { Signals } from '../signals/signals.ts'
import type { Clock } from '../values/clock.ts'
import type { Organization } from '../values/organization.ts'
import { type CredentialCache, credentialCache } from './credential-cache.ts'
import { readState, readStates, type SessionState } from './session-states.ts'
import type { Claims } from './tokens.ts'

export type Sessions = CredentialCache<Claims, SessionState>

/** Caches sessions; each is at most a second old. */
export const sessionsFrom = (reader: Reader, signals: Signals): Sessions =>
  credentialCache(
    {
      idOf: ({ sessionId }: Claims) => sessionId,
      idIn: ({ id }) => id,
      one: (claims) => readState(reader, claims),
      many: (claims) => readStates(reader, claims),
    },
    signals,
  )

type Ending = { tx: Transaction; organization: Organization; services: { clock: Clock } }

/** Ends every session of a user, with its tokens, and the logins that wait for a second factor. */
export function endSessionsOf({ tx, organization, services }: Ending, userId: string): void {
  const now = services.clock.now().toISOString()
  tx.send({ sql: endSql, parameters: [organization.id, userId, now] })
  endChallengesOf({ tx, organization, services }, userId)
}

/** Ends the sessions of a user that no provider has opened, and the logins that wait. */
export function endPasswordSessionsOf(ending: Ending, userId: string): void {
  const { tx, organization, services } = ending
  const now = services.clock.now().toISOString()
  tx.send({ sql: endPasswordSql, parameters: [organization.id, userId, now] })
  endChallengesOf(ending, userId)
}

/** A challenge was for the password of its time. */
export function endChallengesOf({ tx, organization, services }: Ending, userId: string): void {
  const now = services.clock.now().toISOString()
  tx.send({ sql: endChallengesSql, parameters: [organization.id, userId, now] })
}

const endSql = `
  update sessions set ended_at = $3
  where organization_id = $1 and user_id = $2 and ended_at is null`

const endPasswordSql = `${endSql} and sso_issuer is null`

const endChallengesSql = `
  update login_challenges set ended_at = $3
  where organization_id = $1 and user_id = $2 and ended_at is null`
