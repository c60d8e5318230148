/**
 * A subscriber in its own process: answers at once or never, and reports when each webhook arrived.
 */
import { createServer } from 'node:http'

const isHanging = process.argv.includes('--hang')
/** Arrival times by webhook-id, in milliseconds of the system's clock. */
let arrivals: Record<string, number> = {}

const server = createServer((request, response) => {
  const id = String(request.headers['webhook-id'] ?? Math.random())
  arrivals[id] = performance.timeOrigin + performance.now()
  request.resume()
  if (!isHanging) request.on('end', () => response.writeHead(204).end())
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', (message) => {
  if (message === 'take') {
    process.send?.({ arrivals })
    arrivals = {}
  } else process.send?.({ count: Object.keys(arrivals).length })
})
process.on('disconnect', () => process.exit(0))
