import { createSign } from 'node:crypto'
import { type Access, type Authorization, NetworkFault } from '../../kit/src/connect.ts'
import { isObject, type Json } from './rows.ts'

/** The credential of an operator as an access token, which lives an hour and is in memory only. */

export const scope = 'https://www.googleapis.com/auth/adwords'

type Credential = {
  kind: 'user' | 'service'
  secrets: string[]
  headers: Record<string, string>
  form(tokenUrl: string): URLSearchParams
}

const refused = (message: string, code?: string) =>
  new NetworkFault('credential', message, { network: { code: code ?? null } })

export async function authorize(
  text: string,
  access: Access,
  oauthUrl: string,
): Promise<Authorization> {
  const credential = credentialIn(text)
  const tokenUrl = new URL('/token', oauthUrl).href
  const body = credential.form(tokenUrl)
  const answer = await access.fetch(tokenUrl, { method: 'POST', body, isOpen: true })
  if (answer.status >= 500)
    throw new NetworkFault('transient', `The token was not issued: ${answer.status}.`)
  const json = jsonOf(answer.text)
  const { access_token: token, expires_in: seconds, error } = json ?? {}
  if (typeof token !== 'string' || typeof seconds !== 'number')
    throw refused(reasonOf(error, credential.kind), codeOf(error))
  return {
    headers: { authorization: `Bearer ${token}`, ...credential.headers },
    expiresAt: Date.now() + seconds * 1_000,
    secrets: [token, ...credential.secrets],
  }
}

/** The code of an ended refresh token says so, for the connection to show it. */
const codeOf = (error: unknown) =>
  error === 'invalid_grant' ? 'invalid_grant_expired' : String(error ?? 'no_token')

function reasonOf(error: unknown, kind: Credential['kind']): string {
  if (error === 'invalid_grant' && kind === 'user')
    return 'The refresh token has ended or was withdrawn: make another with --login.'
  if (error === 'invalid_grant') return 'The key of the service account is not valid any more.'
  if (error === 'invalid_client' || error === 'unauthorized_client')
    return 'Client id and secret are not those of an OAuth client of the Cloud project.'
  return `No access token was issued: ${String(error ?? 'the answer has none').slice(0, 80)}.`
}

export function jsonOf(text: string): Json | null {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? json : null
  } catch {
    return null
  }
}

const shape =
  'The credential must be JSON: {client_id, client_secret, refresh_token} or the key of a service account, with login_customer_id? and developer_token?.'

function credentialIn(text: string): Credential {
  const json = jsonOf(text)
  if (!json) throw refused(shape)
  const headers = headersOf(json)
  const developer = typeof json.developer_token === 'string' ? [json.developer_token] : []
  const { client_id, client_secret, refresh_token, client_email, private_key } = json
  if (typeof client_email === 'string' && typeof private_key === 'string') {
    const form = (tokenUrl: string) => assertionForm({ client_email, private_key, tokenUrl })
    return { kind: 'service', headers, form, secrets: [private_key, ...developer] }
  }
  const isUser = [client_id, client_secret, refresh_token].every(
    (each) => typeof each === 'string' && each !== '',
  )
  if (!isUser) throw refused(shape)
  const given = { client_id, client_secret, refresh_token, grant_type: 'refresh_token' }
  const form = () => new URLSearchParams(given as Record<string, string>)
  const secrets = [client_secret, refresh_token].map(String)
  return { kind: 'user', headers, form, secrets: [...secrets, ...developer] }
}

/** An empty developer token is refused: the header is sent only where one is given. */
function headersOf({ login_customer_id: login, developer_token: developer }: Json) {
  const manager = typeof login === 'string' ? login.replaceAll('-', '') : ''
  if (login !== undefined && !/^\d{1,19}$/.test(manager))
    throw refused('login_customer_id must be the id of a manager account, as a text of digits.')
  return {
    ...(manager !== '' && { 'login-customer-id': manager }),
    ...(typeof developer === 'string' && developer !== '' && { 'developer-token': developer }),
  }
}

type Assertion = { client_email: string; private_key: string; tokenUrl: string }

function assertionForm({ client_email, private_key, tokenUrl }: Assertion): URLSearchParams {
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: client_email, scope, aud: tokenUrl, iat: now, exp: now + 3_600 }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`
  return new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${text}.${signatureOf(text, private_key)}`,
  })
}

function signatureOf(text: string, key: string): string {
  try {
    return createSign('RSA-SHA256').update(text).sign(key, 'base64url')
  } catch {
    throw refused('The private key of the service account cannot be read.')
  }
}
