import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { PostgresAddress } from '../../src/database/embedded/start.ts'

export type Break = 'reset' | 'end' | 'silence'

/** One connection through the proxy. */
export type Carried = { break(how: Break): void; close(): void }

/** A TCP proxy with a fixed address in front of a PostgreSQL, whose connections can be broken. */
export type TcpLine = {
  url: string
  /** Target of new connections; existing ones stay where they are. */
  leadTo(target: PostgresAddress): void
  /** Accepts new connections but never answers, like a black hole, until it is ended. */
  hang(): { end(): void }
  carried(): Carried[]
  close(): Promise<void>
}

export async function tcpLine(first: PostgresAddress): Promise<TcpLine> {
  let target = first
  let isHanging = false
  const all = new Set<Carried>()
  const server = createServer((near) => {
    const carried = isHanging
      ? swallow(near)
      : carry(near, connect(join(target.host, `.s.PGSQL.${target.port}`)))
    all.add(carried)
    near.on('close', () => all.delete(carried))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const { user, password, database } = first
  return {
    url: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    leadTo: (address) => {
      target = address
    },
    hang: () => {
      isHanging = true
      return {
        end: () => {
          isHanging = false
        },
      }
    },
    carried: () => [...all],
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const each of all) each.close()
      await closed
    },
  }
}

function swallow(near: Socket): Carried {
  near.on('error', () => {}).resume()
  const close = () => void near.destroy()
  return { break: close, close }
}

function carry(near: Socket, far: Socket): Carried {
  near.pipe(far).pipe(near)
  const end = () => {
    near.destroy()
    far.destroy()
  }
  for (const socket of [near, far]) socket.on('error', end).on('close', end)
  const breaks: Record<Break, () => unknown> = {
    // A closed connection cannot be reset: it would keep the thread alive.
    reset: () => (near.writableEnded ? near.destroy() : near.resetAndDestroy()),
    end: () => {
      far.unpipe(near)
      near.end()
    },
    silence: () => {
      near.unpipe(far).resume()
      far.unpipe(near).resume()
    },
  }
  return { break: (how) => void breaks[how](), close: end }
}
