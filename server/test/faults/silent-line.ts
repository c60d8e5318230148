import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { FreshDatabase } from '../support/machines/fresh-database.ts'

/** A way to a database that carries a number of bytes to it, and from then on nothing either way. */
export type SilentLine = { url: string; carriedBytes(): number; close(): void }

export async function silentLine(
  { address }: Pick<FreshDatabase, 'address'>,
  afterBytes: number,
): Promise<SilentLine> {
  let carried = 0
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(join(address.host, `.s.PGSQL.${address.port}`))
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => near.destroy() && far.destroy())
    }
    near.on('data', (bytes) => {
      carried += bytes.length
      if (carried <= afterBytes) far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (carried <= afterBytes) near.write(bytes)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const { user, password, database } = address
  const login = `${user}:${encodeURIComponent(password)}`
  return {
    url: `postgres://${login}@127.0.0.1:${port}/${database}`,
    carriedBytes: () => carried,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
