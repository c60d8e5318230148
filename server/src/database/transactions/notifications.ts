import type pg from 'pg'
import type { DatabaseAddress } from '../address.ts'
import { clientConfig } from '../driver/client.ts'
import { PrimaryClient } from '../driver/connection.ts'
import { runOne, type Statement } from '../driver/protocol.ts'

/** One for the whole service, as channels are local to a database. */
const channel = 'flightdeck'

/** Without waiting for the disk: notifications are useless after a crash anyway. */
const notifySql = `
  select set_config('synchronous_commit', 'off', true), pg_notify('${channel}', texts.message)
  from unnest($1::text[]) as texts (message)`

/** A statement that sends a notification atomically with its transaction's commit. */
export const notification = (text: string): Statement => ({
  sql: `select pg_notify('${channel}', $1)`,
  parameters: [text],
})

/** Sends the texts to all listeners, each at most 7,999 bytes. */
export async function notify(client: pg.Client, texts: readonly string[]): Promise<void> {
  await runOne(client, { sql: notifySql, parameters: [texts] })
}

/** A connection that receives notifications. */
export type Listening = {
  /** Aborted, with the reason, when the connection is lost. */
  readonly lost: AbortSignal
  /** Resolves when all earlier notifications have arrived, as the server sends in order. */
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
