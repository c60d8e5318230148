import type { Socket } from 'node:net'
import { SocksClient } from 'socks'
import { errorMessage } from '../../../values/errors.ts'
import type { ProxyCredentials } from '../schema.ts'
import { ProbeFailure, wrongCredentials } from './failure.ts'
import { responseTo } from './response.ts'

// As in http/reason-phrases.ts.
const { request } = process.getBuiltinModule('node:http')

/** The target behind the proxy, which resolves its name. */
export type TunnelTarget = { host: string; port: number }

/** The authorization header for an HTTP proxy, if there are credentials. */
export function authorizationOf({ username, password }: ProxyCredentials): Record<string, string> {
  if (username === null && password === null) return {}
  const pair = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')
  return { 'proxy-authorization': `Basic ${pair}` }
}

/** Opens a tunnel through an HTTP proxy; afterwards the socket leads to the target. */
export async function tunnelByConnect(
  line: Socket,
  credentials: ProxyCredentials,
  { host, port }: TunnelTarget,
): Promise<void> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const connectRequest = request({
    createConnection: () => line,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, connection: 'keep-alive', ...authorizationOf(credentials) },
  })
  connectRequest.on('error', () => {})
  connectRequest.end()
  const { statusCode = 0 } = await responseTo(connectRequest, 'connect')
  // Some proxies use 401; only the proxy itself answers CONNECT.
  if (statusCode === 407 || statusCode === 401) throw new ProbeFailure(wrongCredentials)
  if (statusCode < 200 || statusCode > 299) {
    throw new ProbeFailure(`the proxy answered CONNECT with ${statusCode}`)
  }
}

/** RFC 1929 encodes each length in one byte. */
const maxCredentialBytes = 255

/** Opens a tunnel through a SOCKS5 proxy. */
export async function tunnelBySocks(
  line: Socket,
  { username, password }: ProxyCredentials,
  { target, timeoutMs }: { target: TunnelTarget; timeoutMs: number },
): Promise<void> {
  if ([username, password].some((text) => Buffer.byteLength(text ?? '') > maxCredentialBytes)) {
    throw new ProbeFailure('SOCKS5 takes at most 255 bytes of user name, and of password')
  }
  const who = {
    ...(username !== null && { userId: username }),
    ...(password !== null && { password }),
  }
  try {
    await SocksClient.createConnection({
      command: 'connect',
      destination: target,
      // The socket is already connected, but the library requires both endpoints.
      proxy: { host: 'proxy', port: 1, type: 5, ...who },
      existing_socket: line,
      timeout: timeoutMs,
    })
  } catch (error) {
    // Not the error itself: it contains the credentials.
    throw new ProbeFailure(wordsOfSocks(errorMessage(error)))
  }
}

/** Readable messages for the library's errors. */
const socksWords: readonly (readonly [RegExp, string])[] = [
  [/Authentication failed|authentication type/, wrongCredentials],
  [/socks version/, 'the proxy does not speak SOCKS5'],
  [/- NotAllowed/, 'the proxy does not allow connections to the check URL'],
  [/- NetworkUnreachable/, 'the proxy has no route to the network of the check URL'],
  [/- HostUnreachable/, 'the proxy cannot reach the host of the check URL'],
  [/- ConnectionRefused/, 'the check URL refused the proxy’s connection'],
  [/rejected connection/, 'the proxy could not connect to the check URL'],
]

const wordsOfSocks = (message: string): string =>
  socksWords.find(([pattern]) => pattern.test(message))?.[1] ??
  'the proxy closed the connection before SOCKS5 was agreed'
