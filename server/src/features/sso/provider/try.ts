import { type Configuration, genericGrantRequest, ResponseBodyError } from 'openid-client'
import { audited } from '../../../kernel/change.ts'
import type { Context } from '../../../kernel/context.ts'
import { inTransaction, throwIfReplayed } from '../../../kernel/transaction.ts'
import { urlRefusal } from '../normalize.ts'
import type { SsoTest } from '../schema.ts'
import { settingsOf, storedDomains } from '../stored.ts'
import { readKeys, readProvider, signatures } from './provider.ts'
import { troubleOf } from './trouble.ts'

/** Reads the provider's configuration, and says in plain words what is wrong. */
export async function trySso(ctx: Context): Promise<SsoTest> {
  await throwIfReplayed(ctx)
  const [row, domains] = await Promise.all([settingsOf(ctx), storedDomains(ctx)])
  const problems: string[] = []
  const warnings: string[] = []
  if (!domains.some(({ proved_at }) => proved_at !== null)) {
    problems.push('No domain is proved yet, so no address counts.')
  }
  const provider = await readProvider(ctx.services, row).catch((error: unknown) => {
    problems.push(`The configuration of ${row.issuer} cannot be used: ${troubleOf(error)}.`)
  })
  if (provider) {
    problems.push(...metadataProblems(ctx, provider), ...(await keyProblems(ctx, provider)))
    problems.push(...(await secretProblems(provider)))
    warnings.push(...warningsOf(provider, row))
  }
  const { id, name } = ctx.organization
  const resource = { type: 'organization', id, name }
  return inTransaction(ctx, async (ctx) => {
    await audited(ctx, { action: 'organization.sso_tested', resource }, async () => {})
    return { ok: problems.length === 0, problems, warnings }
  })
}

const endpoints = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'] as const

function metadataProblems({ services }: Context, provider: Configuration): string[] {
  const metadata = provider.serverMetadata()
  const refused = endpoints.flatMap((name) => {
    const url = metadata[name]
    if (url === undefined) return name === 'userinfo_endpoint' ? [] : [`It names no ${name}.`]
    const refusal = urlRefusal(url, services)
    return refusal ? [`Its ${name} cannot be asked: it ${refusal}.`] : []
  })
  const { response_types_supported: types, id_token_signing_alg_values_supported: algorithms } =
    metadata
  if (types && !types.includes('code'))
    refused.push('It does not offer the authorization code flow.')
  if (algorithms && !algorithms.some((each) => signatures.includes(each))) {
    refused.push('It signs its tokens with a shared secret only: RS256 or ES256 is needed.')
  }
  return refused
}

async function keyProblems({ services }: Context, provider: Configuration): Promise<string[]> {
  try {
    const { keys } = await readKeys(services, provider)
    return keys.length > 0 ? [] : ['Its jwks_uri has no key to check signatures with.']
  } catch (error) {
    return [`Its keys cannot be read: ${troubleOf(error)}.`]
  }
}

/** A code that no one was given shows whether the secret is right: it is checked before. */
async function secretProblems(provider: Configuration): Promise<string[]> {
  try {
    const redirect_uri = 'https://flightdeck.invalid/'
    await genericGrantRequest(provider, 'authorization_code', { code: 'test', redirect_uri })
    return []
  } catch (error) {
    const isAnswer = error instanceof ResponseBodyError
    if (isAnswer && !clientErrors.has(error.error)) return []
    return [`Its token_endpoint cannot be used: ${troubleOf(error)}.`]
  }
}

const clientErrors = new Set(['invalid_client', 'unauthorized_client'])

type OwnRedirect = { readonly own_redirect_uri: boolean }

function warningsOf(provider: Configuration, { own_redirect_uri }: OwnRedirect): string[] {
  const metadata = provider.serverMetadata()
  const challenges = metadata.code_challenge_methods_supported
  const namesItself = metadata.authorization_response_iss_parameter_supported === true
  return [
    ...(challenges?.includes('S256') ? [] : ['It does not say that it supports PKCE (S256).']),
    ...(namesItself || own_redirect_uri
      ? []
      : ['It does not name itself in its answers: `own_redirect_uri` is safer.']),
  ]
}
