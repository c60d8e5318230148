/**
 * A separate client process that opens event streams, spread over the tokens, and keeps them open.
 */
import { connect, type Socket } from 'node:net'
import { requestText } from './load.ts'

const { port, tokens, count } = JSON.parse(process.env.BENCH_STREAMS ?? '{}')
const path = '/api/v1/events/stream'

function openStream(token: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.write(requestText({ method: 'GET', path, token }))
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (chunk) => {
      if (String(chunk).startsWith('HTTP/1.1 200')) resolve(socket)
      else reject(new Error(`no stream: ${String(chunk).slice(0, 200)}`))
    })
  })
}

const sockets = await Promise.all(
  Array.from({ length: count }, (_, at) => openStream(tokens[at % tokens.length])),
)
for (const socket of sockets) socket.resume()
process.send?.('open')
process.on('disconnect', () => process.exit(0))
