import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { SocksClient } from 'socks'
import type { ProxyCredentials } from '../schema.ts'
import { ProbeFailure, wrongCredentials } from './failure.ts'

/** What is behind the proxy: its name is resolved there. */
export type Target = { host: string; port: number }

/** The header that a proxy of HTTP wants, if any. */
export function authorizationOf({ username, password }: ProxyCredentials): Record<string, string> {
  if (username === null && password === null) return {}
  const pair = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')
  return { 'proxy-authorization': `Basic ${pair}` }
}

/** Has a proxy of HTTP connect to the target: from here on, the line leads there. */
export async function tunnelByConnect(
  line: Socket,
  credentials: ProxyCredentials,
  { host, port }: Target,
): Promise<void> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const asked = request({
    createConnection: () => line,
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, connection: 'keep-alive', ...authorizationOf(credentials) },
  })
  asked.on('error', () => {})
  asked.end()
  const [{ statusCode = 0 }] = (await once(asked, 'connect')) as [IncomingMessage]
  // Some say 401 instead, and to CONNECT nobody but the proxy answers.
  if (statusCode === 407 || statusCode === 401) throw new ProbeFailure(wrongCredentials)
  if (statusCode < 200 || statusCode > 299) {
    throw new ProbeFailure(`the proxy answered CONNECT with ${statusCode}`)
  }
}

/** RFC 1929 has one byte for the length of each. */
const maxCredentialBytes = 255

/** The same of a SOCKS5 proxy. */
export async function tunnelBySocks(
  line: Socket,
  { username, password }: ProxyCredentials,
  { target, timeoutMs }: { target: Target; timeoutMs: number },
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
      // The line is there already: the library asks for its ends all the same.
      proxy: { host: 'proxy', port: 1, type: 5, ...who },
      existing_socket: line,
      timeout: timeoutMs,
    })
  } catch (error) {
    // Not the error itself: it holds the credentials.
    throw new ProbeFailure(wordsOfSocks((error as Error).message))
  }
}

/** What the library says, by what is told of it. */
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
