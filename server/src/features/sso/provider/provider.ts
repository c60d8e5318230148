import { decodeProtectedHeader, type JSONWebKeySet } from 'jose'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import type { Services } from '../../../kernel/context.ts'
import { urlRefusal } from '../normalize.ts'
import { clientSecretOf, type StoredSso } from '../stored.ts'
import { providerFetch } from './fetch.ts'
import { ProviderTrouble } from './trouble.ts'

/** Signatures that all can check, and only the provider can make. */
export const signatures: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

const timeoutSeconds = 5

/** Reads the configuration that the issuer publishes. */
export async function readProvider(services: Services, row: StoredSso): Promise<Configuration> {
  const issuer = new URL(row.issuer)
  const secret = clientSecretOf(services, row)
  const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : []
  const found = await discovery(
    issuer,
    row.client_id,
    { client_secret: secret },
    basicUnlessPost(secret),
    {
      [customFetch]: providerFetch(services),
      timeout: timeoutSeconds,
      execute: [...execute, enableNonRepudiationChecks],
    },
  )
  const metadata = found.serverMetadata()
  // One name for many issuers would let the people of each of them in.
  if (new URL(metadata.issuer).href !== issuer.href) {
    throw new ProviderTrouble('it names another issuer, or is one for many organizations')
  }
  const login = metadata.authorization_endpoint
  const refusal = login === undefined ? 'is missing' : urlRefusal(login, services)
  if (refusal) throw new ProviderTrouble(`its authorization_endpoint ${refusal}`)
  return found
}

/** The way to send the secret that the provider names; `client_secret_basic` if it names none. */
function basicUnlessPost(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (as, client, body, headers) => {
    const methods = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(as, client, body, headers)
  }
}

/** The algorithm of a token, if it is one of those that count. */
export function providerAlgorithm(token: string): string | undefined {
  const { alg } = decodeProtectedHeader(token)
  return signatures.find((each) => each === alg)
}

/** The keys that the provider publishes. */
export async function readKeys(
  services: Services,
  provider: Configuration,
): Promise<JSONWebKeySet> {
  const { jwks_uri: uri } = provider.serverMetadata()
  if (uri === undefined) throw new ProviderTrouble('it names no jwks_uri')
  const ask = providerFetch(services)
  const headers = { accept: 'application/json' }
  const answer = await ask(uri, { method: 'GET', headers, redirect: 'manual', body: undefined })
  const read: unknown = answer.status === 200 ? await answer.json().catch(() => null) : null
  const { keys }: { keys?: unknown } = Object(read)
  if (!Array.isArray(keys)) throw new ProviderTrouble('its jwks_uri has no keys')
  return { keys: keys.filter((key: unknown) => Object(key).kty !== 'oct') }
}
