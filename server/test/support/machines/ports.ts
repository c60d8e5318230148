import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port without a listener: a port that was free a moment ago may be used by another test now.
 * `fetch` refuses 1.
 */
export const deafPort = 2

/** For a program that needs a given port: below the system's ephemeral range. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 30_000)
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}
