import type { Reader } from '../database/database.ts'
import { nowText, type WriteContext } from '../kernel/context.ts'
import { type Remembered, remember } from './credential-cache.ts'
import { readState, readStates, type SessionState } from './session-states.ts'
import type { Signals } from '../signals/signals.ts'
import type { Claims } from './tokens.ts'

export type Sessions = Remembered<Claims, SessionState>

/** Remembers each session, as it was less than a second ago. */
export const sessionsFrom = (reader: Reader, signals: Signals): Sessions =>
  remember(
    {
      idOf: ({ sessionId }: Claims) => sessionId,
      idIn: ({ id }) => id,
      one: (claims) => readState(reader, claims),
      many: (claims) => readStates(reader, claims),
    },
    signals,
  )

/** Ends every session of a user, and with it every token. */
export function endSessionsOf(ctx: WriteContext, userId: string): void {
  ctx.tx.send({ sql: endSql, parameters: [ctx.organization.id, userId, nowText(ctx.services)] })
}

const endSql = `
  update sessions set ended_at = $3
  where organization_id = $1 and user_id = $2 and ended_at is null`
