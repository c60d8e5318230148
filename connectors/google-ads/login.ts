import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { isLoopback } from '../kit/src/connect.ts'
import { addresses } from './adapter.ts'
import { jsonOf, scope } from './calls/authorize.ts'
import { isObject, type Json } from './calls/rows.ts'

/**
 * `flightdeck connect google-ads --login`: asks for a refresh token in the browser, and puts it into the file of
 * the credential. The answer comes to this machine, at a port for the time of it (RFC 8252), with PKCE.
 */

const consentUrl = 'https://accounts.google.com/o/oauth2/v2/auth'
const longestMs = 600_000

export async function login(args: readonly string[]): Promise<number> {
  try {
    const { path, oauthUrl } = optionsOf(args)
    const client = await clientIn(path)
    const refresh_token = await askFor(client, oauthUrl)
    await write(path, { ...client, refresh_token })
    process.stdout.write(`The refresh token is in ${path}.\n`)
    return 0
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`flightdeck connect: ${message}\n`)
    return 1
  }
}

function optionsOf(args: readonly string[]) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{ login: { type: 'boolean' }, credentials: text, 'oauth-url': text },
      'any-host': { type: 'boolean' },
    },
  })
  const [, path] = /^file:(.+[^/])$/.exec(values.credentials ?? '') ?? []
  if (path === undefined)
    throw new Error('--login needs --credentials file:PATH, with client_id and client_secret in it')
  const oauthUrl = addressOf('oauth-url', values['oauth-url'], {
    ...{ standard: addresses.oauthUrl, isAnyHost: values['any-host'] === true },
  })
  return { path, oauthUrl }
}

type Allowed = { standard: string; isAnyHost: boolean }

/** The address of an option: that of another machine would be sent credentials. */
export function addressOf(
  name: string,
  url: string | undefined,
  { standard, isAnyHost }: Allowed,
): string {
  if (url === undefined) return standard
  if (!URL.canParse(url)) throw new Error(`--${name} must be an address`)
  if (!isAnyHost && !isLoopback(url))
    throw new Error(`--${name} is of another machine: add --any-host to send credentials there`)
  return url
}

type Client = Json & { client_id: string; client_secret: string }

/** The client as its own JSON, or as the Cloud console gives it (`installed`). */
async function clientIn(path: string): Promise<Client> {
  const json = jsonOf(await readFile(path, 'utf8'))
  const given = json?.installed ?? json
  const { client_id, client_secret } = isObject(given) ? given : {}
  if (typeof client_id !== 'string' || typeof client_secret !== 'string')
    throw new Error(`${path} must have client_id and client_secret`)
  const more = json?.installed === undefined ? json : {}
  return { ...more, client_id, client_secret }
}

async function askFor(client: Client, oauthUrl: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const redirect = await listen(state)
  try {
    const query = new URLSearchParams({
      ...{ client_id: client.client_id, redirect_uri: redirect.url, response_type: 'code', scope },
      ...{ access_type: 'offline', prompt: 'consent', state, code_challenge_method: 'S256' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    })
    process.stdout.write(
      `Open this address in a browser of this machine:\n${consentUrl}?${query}\n`,
    )
    const code = await redirect.code
    const { client_id, client_secret } = client
    return await exchange(oauthUrl, {
      ...{ client_id, client_secret, code, code_verifier: verifier, redirect_uri: redirect.url },
      grant_type: 'authorization_code',
    })
  } finally {
    redirect.close()
  }
}

async function exchange(oauthUrl: string, form: Record<string, string>): Promise<string> {
  const answer = await fetch(new URL('/token', oauthUrl), {
    ...{ method: 'POST', body: new URLSearchParams(form), redirect: 'error' },
    signal: AbortSignal.timeout(20_000),
  })
  const json: unknown = await answer.json().catch(() => null)
  const { refresh_token, error } = isObject(json) ? json : {}
  if (typeof refresh_token === 'string') return refresh_token
  throw new Error(`Google gave no refresh token: ${String(error ?? answer.status).slice(0, 80)}`)
}

/** Waits at this machine for the browser to come back with a code. */
async function listen(state: string) {
  const { promise: code, resolve, reject } = Promise.withResolvers<string>()
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isOurs = searchParams.get('state') === state
    const given = searchParams.get('code')
    const said = isOurs ? 'You can close this page.' : 'This is no answer to this login.'
    response.writeHead(isOurs ? 200 : 400, { 'content-type': 'text/plain' }).end(said)
    if (isOurs && given !== null) resolve(given)
    else if (isOurs) reject(new Error(`Google refused: ${searchParams.get('error') ?? 'no code'}`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const timer = setTimeout(() => reject(new Error('no answer came in ten minutes')), longestMs)
  const close = () => {
    clearTimeout(timer)
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}`, code, close }
}

/** Puts it in the place of the old one at once: a full disk leaves that. */
async function write(path: string, json: Json): Promise<void> {
  const kept = await realpath(path)
  const next = `${kept}.next`
  await rm(next, { force: true })
  await writeFile(next, `${JSON.stringify(json, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(next, kept)
}
