import type pg from 'pg'
import type { DatabaseAddress } from './address.ts'
import { clientConfig } from './driver/client.ts'
import { PrimaryClient } from './driver/connection.ts'
import { runOne, type Statement } from './driver/protocol.ts'

/** One for the whole service: PostgreSQL keeps the channels of its databases apart. */
const channel = 'flightdeck'

/** What is lost in a crash is of no use after it, so nobody waits for the disk. */
const notifySql = `
  select set_config('synchronous_commit', 'off', true), pg_notify('${channel}', told.message)
  from unnest($1::text[]) as told (message)`

/** Tells the text with the commit of the transaction that it is sent in: no crash comes in between. */
export const notification = (text: string): Statement => ({
  sql: `select pg_notify('${channel}', $1)`,
  parameters: [text],
})

/** Tells the texts to all who listen, each at most 7,999 bytes. */
export async function notify(client: pg.ClientBase, texts: readonly string[]): Promise<void> {
  await runOne(client, { sql: notifySql, parameters: [texts] })
}

/** A connection that hears what is told. */
export type Listening = {
  /** Aborted, with the reason, when the connection is no more. */
  readonly lost: AbortSignal
  /** Resolves when all that was told before was heard: what the server says comes in order. */
  catchUp(): Promise<void>
  close(): void
}

export async function listenTo(
  address: DatabaseAddress,
  onText: (text: string) => void,
): Promise<Listening> {
  const client = new PrimaryClient({ ...clientConfig(address), application_name: 'flightdeck bus' })
  const lost = new AbortController()
  client.on('error', (error) => lost.abort(error))
  client.on('end', () => lost.abort(new Error('the connection has ended')))
  client.on('notification', ({ payload = '' }) => onText(payload))
  const close = () => void client.end().catch(() => {})
  const catchUp = async () => void (await runOne(client, { sql: 'select', parameters: [] }))
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
    return { lost: lost.signal, catchUp, close }
  } catch (error) {
    close()
    throw error
  }
}
