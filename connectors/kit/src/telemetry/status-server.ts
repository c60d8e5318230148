import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Metrics } from './metrics.ts'

export type StatusServer = { url: string; close(): Promise<void> }

/** Serves `/metrics` and `/readyz` on this machine. */
export async function serveStatus(
  port: number,
  { metrics, isReady }: { metrics: Metrics; isReady: () => boolean },
): Promise<StatusServer> {
  const server = createServer((request, response) => {
    const answer = (status: number, text: string, type = 'text/plain') => {
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(text)
    }
    if (request.method !== 'GET') answer(405, 'method not allowed\n')
    else if (request.url === '/metrics') answer(200, metrics.text(), 'text/plain; version=0.0.4')
    else if (request.url === '/readyz') {
      if (isReady()) answer(200, 'ready\n')
      else answer(503, 'the accounts are not held\n')
    } else answer(404, 'not found\n')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
