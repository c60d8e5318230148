import { once } from 'node:events'
import { isIP, connect as openSocket, type Socket } from 'node:net'
import { type ConnectionOptions, connect as openTls } from 'node:tls'
import { inSeconds } from '../../../values/failure-text.ts'
import { failureOfTls, ProbeFailure } from './failure.ts'

/** Disposes of the sockets when the check ends. */
type Opened = DisposableStack

type ConnectionBounds = { port: number; timeoutMs: number; opened: Opened }

/** Addresses beyond this are validated but not tried. */
const maxAddresses = 4

/** Connects to the first address that accepts. openEgress has validated them all. */
export async function dial(
  addresses: readonly string[],
  bounds: ConnectionBounds,
): Promise<Socket> {
  let last: unknown
  for (const address of addresses.slice(0, maxAddresses)) {
    try {
      return await dialOne(address, bounds)
    } catch (error) {
      last = error
    }
  }
  throw last
}

async function dialOne(
  host: string,
  { port, timeoutMs, opened }: ConnectionBounds,
): Promise<Socket> {
  if (opened.disposed) throw over
  const socket = openSocket({ host, port, noDelay: true })
  keepQuiet(socket, opened)
  const tooLate = new ProbeFailure(`no connection to the proxy within ${inSeconds(timeoutMs)}`)
  const waiting = setTimeout(() => socket.destroy(tooLate), timeoutMs)
  try {
    await once(socket, 'connect')
    return socket
  } finally {
    clearTimeout(waiting)
  }
}

type Peer = {
  host: string
  /** How error messages refer to it. */
  name: string
  /** CA certificates to trust instead of the Node.js defaults. */
  ca: string | undefined
}

/** TLS over a connection: with the proxy, or through it with the target. */
export async function secure(line: Socket, peer: Peer, opened: Opened): Promise<Socket> {
  if (opened.disposed) throw over
  const socket = openTls({ socket: line, ...optionsFor(peer) })
  keepQuiet(socket, opened)
  try {
    await once(socket, 'secureConnect')
    return socket
  } catch (error) {
    throw failureOfTls(error, peer.name)
  }
}

const optionsFor = ({ host, ca }: Peer): ConnectionOptions => ({
  host,
  // SNI cannot carry an IP address; the certificate is still verified.
  ...(isIP(host) === 0 && { servername: host }),
  ALPNProtocols: ['http/1.1'],
  // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
  rejectUnauthorized: true,
  ...(ca !== undefined && { ca }),
})

const over = new ProbeFailure('the check is over')

/** A late socket error, with no listener left, must not crash the process. */
function keepQuiet(socket: Socket, opened: Opened): void {
  socket.on('error', () => {})
  opened.defer(() => socket.destroy(over))
}
