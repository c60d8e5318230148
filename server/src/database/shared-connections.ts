import pg from 'pg'
import type { DatabaseAddress } from './address.ts'
import { clientConfig, type Statement, send } from './client.ts'
import type { Query } from './kysely.ts'

export type SharedConnections = { readonly query: Query; close(): Promise<void> }

/**
 * A few connections that everybody's reads share, each carrying many at once: measured 1.65 × a
 * pool that lends a connection to one query at a time. For short statements only.
 */
export function shareConnections(address: DatabaseAddress, count: number): SharedConnections {
  const slots = Array.from({ length: count }, () => slot(address))
  let turn = 0
  return {
    query: async <Row>(statement: Statement) => {
      turn = (turn + 1) % slots.length
      const chosen = slots[turn] as Slot
      return send<Row>(chosen.ready ?? (await chosen.connect()), statement)
    },
    close: async () => {
      await Promise.all(slots.map((each) => each.close()))
    },
  }
}

type Slot = {
  /** The connected client, without a tick of waiting. */
  readonly ready: pg.Client | undefined
  connect(): Promise<pg.Client>
  close(): Promise<void>
}

/** One place for a connection: a lost one is replaced by the next query that needs it. */
function slot(address: DatabaseAddress): Slot {
  let ready: pg.Client | undefined
  let connecting: Promise<pg.Client> | undefined

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(clientConfig(address))
    const forget = () => {
      if (ready === client) ready = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    await client.connect()
    ready = client
    return client
  }

  return {
    get ready() {
      return ready
    },
    connect: () => {
      connecting ??= connect().finally(() => {
        connecting = undefined
      })
      return connecting
    },
    close: async () => {
      const client = ready ?? (await connecting?.catch(() => undefined))
      await client?.end()
    },
  }
}
