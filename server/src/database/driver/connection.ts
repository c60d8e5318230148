import type { Socket } from 'node:net'
import pg from 'pg'
import type { Access } from './client.ts'
import { watchForSilence } from './silence.ts'

/** read_only_sql_transaction: the answer to a write on a standby or a read-only server. */
const readOnlyTransaction = '25006'

/**
 * A client that connects only to a primary, as libpq does with `target_session_attrs=primary`. After a
 * failover the host name may lead to the old server for a while, and connections made then would stay
 * there. The server reports its role when a client connects.
 */
export class PrimaryClient extends pg.Client {
  constructor(config?: string | (pg.ClientConfig & { silentMs?: number; access?: Access })) {
    super(config)
    const { silentMs, access } = typeof config === 'object' ? config : {}
    // Pending queries fail by themselves; without any, a lost connection needs no handling.
    this.on('error', () => {})
    const connection = connectionOf(this)
    const leave = () => {
      const refusal = new Error('the server takes no writes')
      connection.stream.destroy(Object.assign(refusal, { code: readOnlyTransaction }))
    }
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby' && parameterValue === 'on') leave()
    })
    connection.on('errorMessage', ({ code }) => {
      // On a connection that we made read-only, the code says nothing about the server.
      if (code === readOnlyTransaction && access !== 'read only') setImmediate(leave)
    })
    if (silentMs === undefined) return
    const giveUp = () => connection.stream.destroy()
    const watch = () => watchForSilence({ oldest: () => oldestInFlightOn(this), silentMs, giveUp })
    this.once('connect', () => this.once('end', watch()))
  }
}

/**
 * Whether the server closed or reset the connection, which says nothing about others. One that we
 * gave up may have died silently, and others with it.
 */
export function wasEnded(client: pg.Client, error: unknown): boolean {
  const { readableEnded, errored } = connectionOf(client).stream
  if (error instanceof pg.DatabaseError || readableEnded) return true
  return (errored as { code?: string } | null)?.code === 'ECONNRESET'
}

type ServerMessage = Partial<Record<'parameterName' | 'parameterValue' | 'code', string>>

/** The parts of pg's connection for the extended query protocol and the server's messages. */
export type Connection = {
  stream: Socket
  on(event: 'parameterStatus' | 'errorMessage', listener: (message: ServerMessage) => void): void
  parse(message: { name: string; text: string }): void
  describe(message: { type: 'S'; name: string }): void
  bind(message: { statement: string; values: readonly (string | null)[] }): void
  execute(message: object): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}

export const connectionOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: Connection }).connection

type Queues = { _queryQueue: unknown[]; _sentQueryQueue: unknown[]; _activeQuery: unknown }

const queuesOf = (client: pg.ClientBase) => client as unknown as Queues

/** Batches on the connection: not sent yet, unanswered, or being answered. */
export function inFlightOn(client: pg.ClientBase): number {
  const { _queryQueue, _sentQueryQueue, _activeQuery } = queuesOf(client)
  return _queryQueue.length + _sentQueryQueue.length + (_activeQuery ? 1 : 0)
}

/** The batch to be answered next; null when none is in flight. */
export function oldestInFlightOn(client: pg.ClientBase): unknown {
  const { _queryQueue, _sentQueryQueue, _activeQuery } = queuesOf(client)
  return _activeQuery ?? _sentQueryQueue[0] ?? _queryQueue[0] ?? null
}
