import { errorOf, jsonOf } from './answer.ts'
import { answered } from './connection.ts'

/** A token or API key, a function that gets one, credentials to log in with, or a cookie. */
export type Credentials =
  | { token: string | (() => string | Promise<string>); login?: never; cookie?: never }
  | { login: Login; token?: never; cookie?: never }
  /** In a page of the service itself: the browser sends the session. */
  | { cookie: true; token?: never; login?: never }

type Login = {
  email: string
  password: string
  /** The code of a second factor. A code works once: a function makes one for each login. */
  otp?: string | (() => string | Promise<string>)
}

export type Credential = {
  /** The headers that prove who is asking. */
  headers(): Promise<Record<string, string>>
  /** Drops the token: the next request gets a new one. */
  forget(): void
  readonly canRenew: boolean
}

type Wire = {
  send: (request: Request) => Promise<Response>
  baseUrl: string
  timeoutMs: number
}

export function credentialOf({ token, login, cookie }: Credentials, wire: Wire): Credential {
  if (cookie) {
    return { headers: async () => ({ 'x-flightdeck-console': '1' }), forget, canRenew: false }
  }
  if (login) return loggingIn(login, wire)
  const isFunction = typeof token === 'function'
  return {
    headers: async () => bearer(isFunction ? await token() : token),
    forget,
    canRenew: isFunction,
  }
}

const forget = () => {}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Logs in with the first request, and again when the token is no longer accepted. */
function loggingIn(login: Login, wire: Wire): Credential {
  let current: Promise<string> | null = null
  const forget = () => {
    current = null
  }
  return {
    headers: async () => {
      current ??= logIn(login, wire).catch((error) => {
        forget()
        throw error
      })
      return bearer(await current)
    },
    forget,
    canRenew: true,
  }
}

async function logIn(login: Login, { send, baseUrl, timeoutMs }: Wire): Promise<string> {
  const { otp } = login
  const body = { ...login, otp: typeof otp === 'function' ? await otp() : otp }
  const request = new Request(`${baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const response = await answered(() => send(request))
  if (!response.ok) throw await errorOf(response)
  const { token } = (await jsonOf(response)) as { token: string }
  return token
}
