import { once } from 'node:events'
import { isIP, connect as openSocket, type Socket } from 'node:net'
import { type ConnectionOptions, connect as openTls } from 'node:tls'
import { inSeconds } from '../../../values/failure-text.ts'
import { failureOfTls, ProbeFailure } from './failure.ts'

/** Where sockets go once the check is over, whatever became of it. */
type Opened = DisposableStack

type Bounds = { port: number; timeoutMs: number; opened: Opened }

/** More addresses than these are checked, but not tried. */
const mostAddresses = 4

/** A connection to the first of these addresses that takes one. They were checked: see openEgress. */
export async function dial(addresses: readonly string[], bounds: Bounds): Promise<Socket> {
  let last: unknown
  for (const address of addresses.slice(0, mostAddresses)) {
    try {
      return await dialOne(address, bounds)
    } catch (error) {
      last = error
    }
  }
  throw last
}

async function dialOne(host: string, { port, timeoutMs, opened }: Bounds): Promise<Socket> {
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
  /** What failures call it. */
  name: string
  /** Certificates of authorities to trust instead of those that Node.js trusts. */
  ca: string | undefined
}

/** TLS over a connection: with the proxy, or through it with what is behind. */
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
  // An address has no place in SNI; its certificate is checked all the same.
  ...(isIP(host) === 0 && { servername: host }),
  ALPNProtocols: ['http/1.1'],
  // Said here, so that NODE_TLS_REJECT_UNAUTHORIZED changes nothing.
  rejectUnauthorized: true,
  ...(ca !== undefined && { ca }),
})

const over = new ProbeFailure('the check is over')

/** A fault that comes when nobody waits for it any more must not end the process. */
function keepQuiet(socket: Socket, opened: Opened): void {
  socket.on('error', () => {})
  opened.defer(() => socket.destroy(over))
}
