import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { errorCode } from '../../../values/errors.ts'

/** The fault of a provider, in words for the one who set it up. */
export class ProviderTrouble extends Error {}

const byCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it breaks connections off',
  UND_ERR_SOCKET: 'it breaks connections off',
  UND_ERR_CONNECT_TIMEOUT: 'it cannot be reached in time',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it does not answer in time',
  OAUTH_TIMEOUT: 'it does not answer in time',
  OAUTH_RESPONSE_IS_NOT_JSON: 'its answer is not JSON',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'its answer is not that of an OpenID Connect provider',
  OAUTH_PARSE_ERROR: 'its answer cannot be read',
  OAUTH_INVALID_RESPONSE: 'its answer is not what OpenID Connect asks for',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'it names another issuer',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'its token is for another login, application or issuer',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'its token has expired; the clocks may differ',
  OAUTH_KEY_SELECTION_FAILED: 'its token is signed with a key that it does not publish',
  OAUTH_UNSUPPORTED_OPERATION: 'its token is not signed as it has to be',
}

const certificates = /CERT|SELF_SIGNED|UNABLE_TO_|TLS|SSL/

/** The reason of a failure, in plain words; nothing that the provider has written is in it. */
export function troubleOf(error: unknown): string {
  const chain = causesOf(error)
  for (const each of chain) {
    if (each instanceof ProviderTrouble) return each.message
    if (each instanceof AuthorizationResponseError) return refusedBy(each.error)
    if (each instanceof ResponseBodyError) return answeredBy(each.error)
  }
  const codes = chain.flatMap((each) => errorCode(each) ?? [])
  const known = codes.map((code) => byCode[code]).find((text) => text !== undefined)
  if (known) return known
  if (codes.some((code) => certificates.test(code))) return 'its certificate is not trusted'
  const isClient = chain.some((each) => each instanceof ClientError)
  return isClient ? 'its answer is not what OpenID Connect asks for' : 'it cannot be reached'
}

function causesOf(error: unknown): Error[] {
  const chain: Error[] = []
  let each = error
  while (each instanceof Error && chain.length < 8) {
    chain.push(each)
    each = each.cause
  }
  return chain
}

const plainCode = /^[a-z_]{1,40}$/

const refusedBy = (code: string): string =>
  code === 'access_denied'
    ? 'it did not let you in'
    : `it refused the login${plainCode.test(code) ? ` (${code})` : ''}`

const answeredBy = (code: string): string =>
  code === 'invalid_client' || code === 'unauthorized_client'
    ? 'it refuses the client id or the client secret'
    : `it refused the request${plainCode.test(code) ? ` (${code})` : ''}`
