import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FreshDatabase } from './fresh-database.ts'

type Address = FreshDatabase['address']

/** A proxy to a database that can be cut, closed and silenced. */
export type Line = {
  address: Address
  /** Ends every open connection. */
  cut(): void
  /** Refuses new ones until `open()`. */
  shut(): Promise<void>
  open(): Promise<void>
  /** Existing connections never carry a byte again; later ones do. */
  swallow(): void
  close(): Promise<void>
}

/** Stands between an app and PostgreSQL, on its own Unix socket. */
export async function lineTo(target: Address): Promise<Line> {
  const dir = await mkdtemp(join(tmpdir(), 'flightdeck-line-'))
  const file = `.s.PGSQL.${target.port}`
  // A cluster of Citus listens on the network.
  const reach = () =>
    target.host.startsWith('/')
      ? connect(join(target.host, file))
      : connect(target.port, target.host)
  const pairs = new Set<readonly [Socket, Socket]>()
  const listener = () =>
    createServer((near) => {
      const far = reach()
      const pair = [near, far] as const
      pairs.add(pair)
      near.pipe(far).pipe(near)
      const end = () => {
        pairs.delete(pair)
        near.destroy()
        far.destroy()
      }
      for (const socket of pair) socket.on('error', end).on('close', end)
    })
  let server = listener()
  const open = async () => {
    server = listener()
    await once(server.listen(join(dir, file)), 'listening')
  }
  const cut = () => {
    for (const [near] of pairs) near.destroy()
  }
  const shut = async () => {
    const closed = once(server, 'close')
    server.close()
    cut()
    await closed
  }
  await open()
  return {
    address: { ...target, host: dir },
    cut,
    shut,
    open,
    swallow: () => {
      for (const [near, far] of pairs) {
        near.unpipe(far).resume()
        far.unpipe(near).resume()
      }
    },
    close: async () => {
      await shut()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
