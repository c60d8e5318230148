import { errorOf } from './error.ts'

/** A token, a function that gets one, or credentials to log in with. */
export type Credentials =
  | { token: string | (() => string | Promise<string>); login?: never }
  | { login: { email: string; password: string }; token?: never }

export type Credential = {
  token(): Promise<string>
  /** Drops the token: the next `token()` gets a new one. */
  forget(): void
  readonly canRenew: boolean
}

type Wire = { send: (request: Request) => Promise<Response>; baseUrl: string }

export function credentialOf({ token, login }: Credentials, wire: Wire): Credential {
  if (login) return loggingIn(login, wire)
  const isFunction = typeof token === 'function'
  return {
    token: async () => (isFunction ? token() : token),
    forget: () => {},
    canRenew: isFunction,
  }
}

/** Logs in with the first request, and again when the token is no longer accepted. */
function loggingIn(login: { email: string; password: string }, wire: Wire): Credential {
  let current: Promise<string> | null = null
  const forget = () => {
    current = null
  }
  return {
    token: () => {
      current ??= logIn(login, wire).catch((error) => {
        forget()
        throw error
      })
      return current
    },
    forget,
    canRenew: true,
  }
}

/** A loop: a regular expression would take quadratic time. */
function withoutSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}

async function logIn(login: object, { send, baseUrl }: Wire): Promise<string> {
  const request = new Request(`${withoutSlashes(baseUrl)}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  const response = await send(request)
  if (!response.ok) throw await errorOf(response)
  const { token } = (await response.json()) as { token: string }
  return token
}
