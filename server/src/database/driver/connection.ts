import type { Socket } from 'node:net'
import pg from 'pg'
import type { Access } from './client.ts'
import { watchForSilence } from './silence.ts'

/** Answered to a write by a standby, and by a server that is set to be read only. */
const readOnlyTransaction = '25006'

/**
 * A client that stays with a server which takes writes only, as libpq does with
 * `target_session_attrs=primary`: after a failover the name may lead to the old one for a while, and
 * connections of that time would read there for good. What the server is it says as one connects.
 */
export class PrimaryClient extends pg.Client {
  constructor(config?: string | (pg.ClientConfig & { silentMs?: number; access?: Access })) {
    super(config)
    const { silentMs, access } = typeof config === 'object' ? config : {}
    // Whoever waits for an answer hears that the connection is lost; when nobody does, nobody has to.
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
      // On a connection that is read only by our own setting it says nothing about the server.
      if (code === readOnlyTransaction && access !== 'read only') setImmediate(leave)
    })
    if (silentMs === undefined) return
    const giveUp = () => connection.stream.destroy()
    const watch = () => watchForSilence({ oldest: () => oldestInFlightOn(this), silentMs, giveUp })
    this.once('connect', () => this.once('end', watch()))
  }
}

/**
 * The other side has ended it, by its own word or not, which says nothing of other connections. One
 * that we gave up may have gone dead in silence, and others with it.
 */
export function wasEnded(client: pg.Client, error: unknown): boolean {
  const { readableEnded, errored } = connectionOf(client).stream
  if (error instanceof pg.DatabaseError || readableEnded) return true
  return (errored as { code?: string } | null)?.code === 'ECONNRESET'
}

type ServerMessage = Partial<Record<'parameterName' | 'parameterValue' | 'code', string>>

/** The parts of pg's connection that carry the extended query protocol, and tell of the server. */
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

/** Batches that the connection carries: those not sent yet, those unanswered, and the one being answered. */
export function inFlightOn(client: pg.ClientBase): number {
  const { _queryQueue, _sentQueryQueue, _activeQuery } = queuesOf(client)
  return _queryQueue.length + _sentQueryQueue.length + (_activeQuery ? 1 : 0)
}

/** The one that is answered next; null when nothing is under way. */
export function oldestInFlightOn(client: pg.ClientBase): unknown {
  const { _queryQueue, _sentQueryQueue, _activeQuery } = queuesOf(client)
  return _activeQuery ?? _sentQueryQueue[0] ?? _queryQueue[0] ?? null
}
