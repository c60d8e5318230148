import pg from 'pg'
import { errorCode } from '../../values/errors.ts'
import type { Access } from './client.ts'
import { watchForSilence } from './silence.ts'
import { isSqlError } from './sql-error.ts'

/** read_only_sql_transaction: the answer to a write on a standby or a read-only server. */
const readOnlyTransaction = '25006'

/**
 * A client that connects only to a primary, as libpq does with `target_session_attrs=primary`. After a
 * failover the host name may lead to the old server for a while, and connections made then would stay
 * there. The server reports its role when a client connects.
 */
export class PrimaryClient extends pg.Client {
  // pg's own queues, which its types do not show.
  private declare readonly _queryQueue: readonly unknown[]
  private declare readonly _sentQueryQueue: readonly unknown[]
  private declare readonly _activeQuery: unknown

  constructor(config?: string | (pg.ClientConfig & { silentMs?: number; access?: Access })) {
    super(config)
    const { silentMs, access } = typeof config === 'object' ? config : {}
    // Pending queries fail by themselves; without any, a lost connection needs no handling.
    this.on('error', () => {})
    const { connection } = this
    const leave = () => {
      const refusal = new Error('the server takes no writes')
      connection.stream.destroy(Object.assign(refusal, { code: readOnlyTransaction }))
    }
    connection.on('parameterStatus', ({ parameterName, parameterValue }: ServerMessage) => {
      if (parameterName === 'in_hot_standby' && parameterValue === 'on') leave()
    })
    connection.on('errorMessage', ({ code }: ServerMessage) => {
      // On a connection that we made read-only, the code says nothing about the server.
      if (code === readOnlyTransaction && access !== 'read only') setImmediate(leave)
    })
    if (silentMs === undefined) return
    const giveUp = () => connection.stream.destroy()
    const watch = () => watchForSilence({ oldest: () => this.oldestInFlight, silentMs, giveUp })
    this.once('connect', () => this.once('end', watch()))
  }

  /** Batches on the connection: not sent yet, unanswered, or being answered. */
  get inFlight(): number {
    return this._queryQueue.length + this._sentQueryQueue.length + (this._activeQuery ? 1 : 0)
  }

  /** The batch to be answered next; null when none is in flight. */
  get oldestInFlight(): unknown {
    return this._activeQuery ?? this._sentQueryQueue[0] ?? this._queryQueue[0] ?? null
  }
}

/** The statements in flight; 0 for a client of another kind, which does not count them. */
export const inFlightOn = (client: pg.Client): number =>
  client instanceof PrimaryClient ? client.inFlight : 0

/**
 * Whether the server closed or reset the connection, which says nothing about others. One that we
 * gave up may have died silently, and others with it.
 */
export function wasEnded(client: pg.Client, error: unknown): boolean {
  const { readableEnded, errored } = client.connection.stream
  if (isSqlError(error) || readableEnded) return true
  return errorCode(errored) === 'ECONNRESET'
}

type ServerMessage = Partial<Record<'parameterName' | 'parameterValue' | 'code', string>>
