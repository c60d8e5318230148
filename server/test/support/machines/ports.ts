import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port without a listener: a port that was free a moment ago may be used by another test now.
 * `fetch` refuses 1.
 */
export const deafPort = 2

/** For a program that needs a given port: below the system's ephemeral range. */
export const freePort = (): Promise<number> => freePorts(1)

/** The first of a number of free ports in a row. */
export async function freePorts(count: number): Promise<number> {
  const first = randomInt(20_000, 30_000)
  const ports = Array.from({ length: count }, (_, at) => first + at)
  const found = await Promise.all(ports.map(isFree))
  return found.every(Boolean) ? first : freePorts(count)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
