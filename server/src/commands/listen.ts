import { environment } from '../config/config.ts'
import { newSecret } from '../crypto/webhook-secret.ts'
import { untilStopped } from '../process/stop-signals.ts'
import { trimEnd } from '../values/trim-end.ts'
import { command, type Given, UsageError } from './command.ts'
import type { Block } from './listen/blocks.ts'
import { eventsFrom } from './listen/follow.ts'
import { type Answer, forward } from './listen/forward.ts'
import { type Credential, serviceAt } from './listen/service.ts'
import { readAll } from './read.ts'

const defaultUrl = 'http://127.0.0.1:8080'

/** A client of the HTTP API of a service, which may run anywhere; it needs no database. */
export const listen = command({
  usage: 'listen',
  summary: 'Show events as they happen, and forward them to a local program',
  options: {
    'forward-to': { value: 'url', about: 'URL to post each event to, signed as a webhook' },
    url: { value: 'url', about: `URL of the service (default: ${defaultUrl})` },
    token: { value: 'token', about: 'access token or API key (default: FLIGHTDECK_TOKEN)' },
    email: { value: 'email', about: 'email to log in with, instead of a token' },
    password: { value: 'password', about: 'password for --email', secret: true },
    events: { value: 'types', about: 'such as campaign.*,profile.updated (default: all)' },
    secret: { value: 'secret', about: 'signing secret, whsec_… (default: generated and printed)' },
  },
  async run(given): Promise<undefined> {
    const { credential, url, forwardTo, secret } = readAll({
      credential: () => credentialIn(given),
      url: () => httpUrl('url', given.option('url') ?? defaultUrl),
      forwardTo: () => forwardUrl(given),
      secret: () => secretIn(given),
    })
    const service = serviceAt(url, credential)
    const target =
      forwardTo === undefined ? null : { url: forwardTo, secret: secret ?? generatedSecret() }
    const stop = new AbortController()
    const { signal } = stop
    void untilStopped().then(() => stop.abort())
    const options = { types: given.option('events'), signal, report }
    for await (const block of eventsFrom(service, options)) {
      const answer = target && (await forward(block, { ...target, signal }))
      if (signal.aborted) return
      process.stdout.write(`${given.json ? jsonLine(block, answer) : line(block, answer)}\n`)
    }
  },
  show: () => '',
})

/** Reports to people on stderr, as programs read stdout. */
const report = (text: string) => void process.stderr.write(`${text}\n`)

function credentialIn({ option }: Given): Credential {
  const [email, password] = [option('email'), option('password')]
  const token = option('token') ?? environment().FLIGHTDECK_TOKEN
  if (email !== undefined && password !== undefined) return { email, password }
  if (email !== undefined || password !== undefined) {
    throw new UsageError('Give --email and --password together.')
  }
  if (token) return { token }
  throw new UsageError('Give --token, or --email and --password, or set FLIGHTDECK_TOKEN.')
}

function httpUrl(name: string, text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return trimEnd(text, '/')
  throw new UsageError(`--${name} must be an http or https URL, not "${text}".`)
}

function forwardUrl({ option }: Given): string | undefined {
  const to = option('forward-to')
  if (to !== undefined) return httpUrl('forward-to', to)
  if (option('secret') === undefined) return undefined
  throw new UsageError('Give --forward-to with --secret: it signs the forwarded events.')
}

function secretIn({ option }: Given): string | undefined {
  const secret = option('secret')
  if (secret === undefined || /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) return secret
  throw new UsageError('--secret must be "whsec_" and at least 24 bytes in base64.')
}

function generatedSecret(): string {
  const secret = newSecret()
  report(`Signing with ${secret}, generated for this run.`)
  return secret
}

const jsonLine = ({ data }: Block, answer: Answer | null) =>
  // The event's text exactly as received.
  `{"event":${data},"answer":${JSON.stringify(answer)}}`

function line({ id, type, data }: Block, answer: Answer | null): string {
  const { timestamp } = JSON.parse(data)
  return [timestamp, type.padEnd(maxTypeLength), id, ...(answer ? [answerText(answer)] : [])].join(
    ' ',
  )
}

const maxTypeLength = 'webhook_endpoint.secret_rotated'.length

const answerText = ({ status, error, duration_ms }: Answer) =>
  `→ ${status ?? error} in ${duration_ms} ms`
