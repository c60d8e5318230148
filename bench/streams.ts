import { connect } from 'node:net'
import { requestText } from './load.ts'
import type { Tenant } from './seed.ts'

export type Streams = { count: number; close(): void }

/** Opens event streams, spread over the tenants, and lets them be. */
export async function openStreams(
  port: number,
  tenants: Tenant[],
  count: number,
): Promise<Streams> {
  const opening = Array.from({ length: count }, (_, at) =>
    openStream(port, tenants[at % tenants.length]),
  )
  const sockets = await Promise.all(opening)
  return {
    count: sockets.length,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

function openStream(port: number, tenant: Tenant | undefined) {
  const socket = connect({ port, host: '127.0.0.1' })
  const path = '/api/v1/events/stream'
  socket.write(requestText({ method: 'GET', path, token: tenant?.token ?? '' }))
  return new Promise<typeof socket>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (chunk) => {
      if (String(chunk).startsWith('HTTP/1.1 200')) resolve(socket)
      else reject(new Error(`no stream: ${String(chunk).slice(0, 200)}`))
    })
  })
}
