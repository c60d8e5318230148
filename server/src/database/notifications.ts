import type pg from 'pg'
import type { DatabaseAddress } from './address.ts'
import { clientConfig } from './client.ts'
import { PrimaryClient, runOne } from './wire.ts'

/** One for the whole service: PostgreSQL keeps the channels of its databases apart. */
const channel = 'flightdeck'

/** What is lost in a crash is of no use after it, so nobody waits for the disk. */
const notifySql = `
  select set_config('synchronous_commit', 'off', true), pg_notify('${channel}', told.message)
  from unnest($1::text[]) as told (message)`

/** Tells the texts to all who listen, each at most 7,999 bytes. */
export async function notify(client: pg.ClientBase, texts: readonly string[]): Promise<void> {
  await runOne(client, { sql: notifySql, parameters: [texts] })
}

/** A connection that hears what is told. */
export type Listening = {
  /** Rejects when the connection is no more. */
  readonly lost: Promise<never>
  close(): void
}

export async function listenTo(
  address: DatabaseAddress,
  onText: (text: string) => void,
): Promise<Listening> {
  const client = new PrimaryClient({ ...clientConfig(address), application_name: 'flightdeck bus' })
  const { promise: lost, reject } = Promise.withResolvers<never>()
  // It is lost too when nobody waits for that.
  lost.catch(() => {})
  client.on('error', reject)
  client.on('end', () => reject(new Error('the connection has ended')))
  client.on('notification', ({ payload = '' }) => onText(payload))
  const close = () => void client.end().catch(() => {})
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
    return { lost, close }
  } catch (error) {
    close()
    throw error
  }
}
