import type { Schema } from '@flightdeckhq/sdk'
import type { Access, Authorization, NetworkAnswer } from '../contract/access.ts'
import type { ExchangeLine } from '../contract/exchange-line.ts'
import { NetworkFault } from '../contract/fault.ts'
import { exchange, type Line, Unanswered } from './exchange.ts'
import { isLoopback } from './loopback.ts'
import { type Redact, redactionOf } from './redact.ts'

export type AccessOptions = {
  profile: Schema<'ConnectorProfile'>
  accountRef: string
  url: string
  origins: readonly string[]
  sandbox: boolean
  readCredential(): Promise<string>
  authorize(credential: string, access: Access): Promise<Authorization>
  signal: AbortSignal
  deadlineMs: number
  /** Throws where a write that takes that long must not begin any more. */
  mayWrite(deadlineMs: number): void
  onRequest(method: string): void
  /** Hears what is asked and answered, without the credential and the account’s id. */
  onExchange?: (exchange: ExchangeLine) => void
}

/** An access whose credential is read when it is first needed, and again after it was refused. */
export function openAccess(options: AccessOptions): Access & { forget(): void } {
  const { profile, accountRef } = options
  checkProxy(options)
  const credential = openCredential(options, () => access)
  const access: Access & { forget(): void } = {
    accountRef,
    profile,
    redact: (text) => credential.redact(text),
    forget: credential.forget,
    async fetch(path, { method = 'GET', body, headers = {}, isRead, isOpen = false } = {}) {
      const isWrite = method !== 'GET' && !isRead && !isOpen
      const url = addressOf(path, options)
      const given = isOpen ? {} : await credential.headers()
      if (isWrite) options.mayWrite(options.deadlineMs)
      options.onRequest(method)
      const isForm = body instanceof URLSearchParams
      const type = isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
      const text = isForm ? body.toString() : JSON.stringify(body)
      const outgoing = { url, method, headers: { ...given, ...type, ...headers }, body: text }
      const answer = await exchange(outgoing, lineOf(options)).catch((error) => {
        throw lost(error, isWrite, access.redact)
      })
      if (!isOpen) options.onExchange?.(lineOfExchange({ outgoing, answer }, access))
      return answerOf(answer, isWrite)
    },
  }
  return access
}

type Exchanged = {
  outgoing: { url: URL; method: string; body: string | undefined }
  answer: { status: number; text: string }
}

function lineOfExchange({ outgoing, answer }: Exchanged, { redact, accountRef }: Access) {
  const safe = (text: string) =>
    redact(text)
      .replaceAll(accountRef, '[account]')
      .replaceAll(accountRef.replaceAll('-', ''), '[account]')
  const { url, method, body } = outgoing
  return {
    ...{ method, path: safe(`${url.pathname}${url.search}`), status: answer.status },
    ...{ body: body === undefined ? null : safe(body), answer: safe(answer.text) },
  }
}

const lineOf = ({ profile, deadlineMs, signal, sandbox }: AccessOptions): Line => ({
  proxy: profile.proxy,
  deadlineMs,
  signal,
  onlyLoopback: sandbox,
})

type Credential = {
  headers(): Promise<Authorization['headers']>
  redact: Redact
  forget(): void
}

/** Headers are asked for again this long before they end. */
const earlyMs = 60_000

function openCredential(options: AccessOptions, access: () => Access): Credential {
  let current: Promise<Authorization> | null = null
  let redact: Redact = (text) => text
  const forget = () => {
    current = null
  }
  const authorize = async (): Promise<Authorization> => {
    const secret = await options.readCredential().catch((error) => {
      throw new NetworkFault('credential', `The credential cannot be read: ${messageOf(error)}`)
    })
    const secrets = [secret, ...proxySecrets(options)]
    redact = redactionOf(secrets)
    const authorization = await options.authorize(secret, access())
    const more = [...Object.values(authorization.headers), ...(authorization.secrets ?? [])]
    redact = redactionOf([...secrets, ...more])
    return authorization
  }
  return {
    async headers() {
      const known = current && (await current)
      if (known && (known.expiresAt === null || known.expiresAt > Date.now() + earlyMs))
        return known.headers
      current = authorize()
      current.catch(forget)
      return (await current).headers
    },
    redact: (text) => redact(text),
    forget,
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const proxySecrets = ({ profile: { proxy } }: AccessOptions) =>
  proxy?.password ? [proxy.password] : []

function checkProxy({ profile: { proxy }, sandbox }: AccessOptions): void {
  if (!proxy) return
  if (proxy.protocol === 'socks5')
    throw new NetworkFault('blocked', 'This connector cannot use proxies of SOCKS5.', {
      code: 'setting',
    })
  if (sandbox && !isLoopback(`http://${proxy.host.includes(':') ? `[${proxy.host}]` : proxy.host}`))
    throw new NetworkFault('blocked', 'In a sandbox only proxies of this machine are used.', {
      code: 'setting',
    })
}

/** The address of a path, which must be of the network's own origins. */
function addressOf(path: string, { url: base, origins, sandbox }: AccessOptions): URL {
  const url = new URL(path, `${base.replace(/\/$/, '')}/`)
  const allowed = [base, ...origins].map((each) => new URL(each).origin)
  if (!allowed.includes(url.origin)) throw new Error(`${url.origin} is no address of this network`)
  if (sandbox && !isLoopback(url))
    throw new NetworkFault('blocked', 'A sandbox may speak to loopback addresses only.', {
      code: 'setting',
    })
  return url
}

function lost(error: unknown, isWrite: boolean, redact: Redact): unknown {
  if (!(error instanceof Unanswered)) return error
  const said = redact(error.message)
  return isWrite && error.isSent
    ? new NetworkFault('unknown_outcome', `The answer was lost: ${said}`)
    : new NetworkFault('transient', `The network did not answer: ${said}`)
}

function answerOf(
  { status, headers, text }: Awaited<ReturnType<typeof exchange>>,
  isWrite: boolean,
): NetworkAnswer {
  const header = (name: string) => {
    const value = headers[name]
    return Array.isArray(value) ? (value[0] ?? null) : (value ?? null)
  }
  return {
    status,
    text,
    header,
    json: () => {
      try {
        return JSON.parse(text)
      } catch {
        throw unreadable(isWrite)
      }
    },
  }
}

/** The fault of an answer that is not of the network's API: of a write it says nothing. */
export const unreadable = (isWrite: boolean): NetworkFault =>
  new NetworkFault(
    isWrite ? 'unknown_outcome' : 'transient',
    'The network’s answer cannot be read.',
  )
