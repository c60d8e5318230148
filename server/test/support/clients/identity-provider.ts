import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

type Json = Record<string, unknown>

/** The claims about a person. */
export type Account = Json & { sub: string }

export type Idp = {
  issuer: string
  accounts: Map<string, Account>
  /** The `sub` of the person at its login page. */
  person: string
  /** Requests of a browser that it was sent. */
  asked: URL[]
  /** Changes its published configuration. */
  publish: (metadata: Json) => Json
  /** Makes another ID token of the claims that it issues. */
  issue: ((claims: JWTPayload, idp: Idp) => Promise<string>) | null
  /** Signs by the key that it publishes. */
  sign(claims: JWTPayload, header?: Json): Promise<string>
  /** The public key, in PEM and in JWK. */
  publicJwk: Json
  /** Follows a login to the callback, as a browser with cookies of its own. */
  browse(url: string): Promise<string>
  /** Another browser, in which no one is logged in. */
  forget(): void
  close(): Promise<void>
}

export const clientSecret = 'a secret of the client at the provider'

/** A real `oidc-provider`, which can be made faulty. */
export async function openIdp(redirectUris: readonly string[]): Promise<Idp> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const publicJwk = { ...(await exportJWK(publicKey)), kid: 'main', alg: 'RS256', use: 'sig' }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const jar = new Map<string, string>()
  const idp: Idp = {
    issuer,
    accounts: new Map(),
    person: '',
    asked: [],
    publish: (metadata) => metadata,
    issue: null,
    publicJwk,
    sign: (claims, header = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'main', ...header })
        .sign(privateKey),
    browse: (url) => browse(url, { jar, issuer }),
    forget: () => jar.clear(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const key = { ...(await exportJWK(privateKey)), kid: 'main', alg: 'RS256', use: 'sig' }
  const provider = providerAt(issuer, { key, redirectUris, idp })
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/auth') idp.asked.push(url)
    if (url.pathname.startsWith('/interaction/')) void answerLogin(provider, idp, request, response)
    else {
      tamper(url.pathname, idp, response)
      void provider.callback()(request, response)
    }
  })
  return idp
}

type Made = { key: Json; redirectUris: readonly string[]; idp: Idp }

function providerAt(issuer: string, { key, redirectUris, idp }: Made): Provider {
  const scope = 'openid email profile groups'
  const provider = new Provider(issuer, {
    jwks: { keys: [key as never] },
    clients: [
      {
        client_id: 'flightdeck',
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        backchannel_logout_uri: 'http://127.0.0.1:9/',
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    conformIdTokenClaims: true,
    pkce: { required: () => true },
    cookies: { keys: ['of the test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => idp.accounts.get(sub) ?? { sub },
    }),
    async loadExistingGrant(ctx) {
      const { client, session } = ctx.oidc
      const grant = new provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      })
      grant.addOIDCScope(scope)
      await grant.save()
      return grant
    },
  })
  return provider
}

async function answerLogin(
  provider: Provider,
  idp: Idp,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  await provider.interactionDetails(request, response)
  await provider.interactionFinished(request, response, { login: { accountId: idp.person } })
}

/** Replaces what the provider answers, where it is to be faulty. */
function tamper(path: string, idp: Idp, response: ServerResponse): void {
  const isToken = path === '/token' && idp.issue !== null
  if (!isToken && path !== '/.well-known/openid-configuration') return
  const end = response.end.bind(response)
  const changed = async (body: string): Promise<string> => {
    const answer: Json = JSON.parse(body)
    if (!isToken) return JSON.stringify(idp.publish(answer))
    if (typeof answer.id_token !== 'string' || !idp.issue) return body
    const claims = JSON.parse(
      Buffer.from(answer.id_token.split('.')[1] ?? '', 'base64url').toString(),
    )
    return JSON.stringify({ ...answer, id_token: await idp.issue(claims, idp) })
  }
  response.end = ((body: string | Buffer) => {
    void changed(String(body)).then((text) => {
      response.setHeader('content-length', Buffer.byteLength(text))
      end(text)
    })
    return response
  }) as typeof response.end
}

type Browser = { jar: Map<string, string>; issuer: string }

async function browse(url: string, { jar, issuer }: Browser): Promise<string> {
  let next = url
  for (let step = 0; step < 10 && next.startsWith(issuer); step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const text of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      jar.set(name, value)
    }
    const location = reply.headers.get('location')
    if (!location) throw new Error(`the provider answered ${reply.status}: ${await reply.text()}`)
    next = new URL(location, next).href
  }
  return next
}
