import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FreshDatabase } from './fresh-database.ts'

type Address = FreshDatabase['address']

/** A proxy to a database that drops notifications, as transaction poolers do. */
export async function poolerTo(
  target: Address,
): Promise<{ address: Address; close(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'flightdeck-pooler-'))
  const file = `.s.PGSQL.${target.port}`
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(join(target.host, file))
    near.pipe(far)
    const pass = withoutNotifications((bytes) => near.write(bytes))
    far.on('data', pass).on('end', () => near.end())
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    }
  })
  await once(server.listen(join(dir, file)), 'listening')
  return {
    address: { ...target, host: dir },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A server message is a letter, its length and its body; `A` is a notification. */
function withoutNotifications(pass: (bytes: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1)
      if (rest.length < length) return
      if (rest[0] !== 'A'.charCodeAt(0)) pass(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}
