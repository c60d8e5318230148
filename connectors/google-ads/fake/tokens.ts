import { createPublicKey, createVerify } from 'node:crypto'
import { isObject, type Json } from './json.ts'

/** The issuer of tokens: refresh tokens of users, and assertions of service accounts. */

export type Issuer = {
  /** Refresh tokens that work, and client secrets by id. */
  refreshTokens: Set<string>
  clients: Map<string, string>
  /** Public keys of service accounts by their e-mail address, in PEM. */
  services: Map<string, string>
  /** Access tokens that work. */
  issued: Set<string>
}

export const openIssuer = (): Issuer => ({
  refreshTokens: new Set(['refresh-1']),
  clients: new Map([['client-1', 'secret-1']]),
  services: new Map(),
  issued: new Set(),
})

type Answered = { status: number; body: Json }

const refused = (error: string): Answered => ({ status: 400, body: { error } })

export function answerToken(issuer: Issuer, form: URLSearchParams): Answered {
  const grant = form.get('grant_type')
  const error =
    grant === 'refresh_token'
      ? userError(issuer, form)
      : grant === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
        ? serviceError(issuer, form.get('assertion') ?? '')
        : grant === 'authorization_code'
          ? codeError(issuer, form)
          : 'unsupported_grant_type'
  if (error !== null) return refused(error)
  const token = `access-${issuer.issued.size + 1}-${crypto.randomUUID()}`
  issuer.issued.add(token)
  const isCode = grant === 'authorization_code'
  return {
    status: 200,
    body: {
      ...{ access_token: token, expires_in: 3_599, token_type: 'Bearer' },
      ...(isCode && { refresh_token: 'refresh-1' }),
    },
  }
}

const isClient = ({ clients }: Issuer, form: URLSearchParams) =>
  clients.get(form.get('client_id') ?? '') === form.get('client_secret')

function userError(issuer: Issuer, form: URLSearchParams): string | null {
  if (!isClient(issuer, form)) return 'invalid_client'
  return issuer.refreshTokens.has(form.get('refresh_token') ?? '') ? null : 'invalid_grant'
}

function codeError(issuer: Issuer, form: URLSearchParams): string | null {
  if (!isClient(issuer, form)) return 'invalid_client'
  const isWhole =
    form.get('code') === 'code-1' && form.get('code_verifier') && form.get('redirect_uri')
  return isWhole ? null : 'invalid_grant'
}

const adwords = 'https://www.googleapis.com/auth/adwords'

function serviceError({ services }: Issuer, assertion: string): string | null {
  const [head = '', claims = '', signature = ''] = assertion.split('.')
  const json: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString() || 'null')
  const { iss, scope, aud, iat, exp } = isObject(json) ? json : {}
  const key = services.get(String(iss))
  const isLong = Number(exp) - Number(iat) > 3_600
  if (!key || scope !== adwords || !String(aud).endsWith('/token') || isLong) return 'invalid_grant'
  const isSigned = createVerify('RSA-SHA256')
    .update(`${head}.${claims}`)
    .verify(createPublicKey(key), signature, 'base64url')
  return isSigned ? null : 'invalid_grant'
}
