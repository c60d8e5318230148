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

const standardUrl = 'http://127.0.0.1:8080'

/** A client of a service, which may run anywhere: it knows the HTTP API, and no database. */
export const listen = command({
  usage: 'listen',
  summary: 'Show events as they happen, and post them to a program on this machine',
  options: {
    'forward-to': { value: 'url', about: 'where each is posted, signed as a webhook' },
    url: { value: 'url', about: `of the service; left out: ${standardUrl}` },
    token: { value: 'token', about: 'left out: FLIGHTDECK_TOKEN' },
    email: { value: 'email', about: 'logs in, instead of a token' },
    password: { value: 'password', about: 'for the email', secret: true },
    events: { value: 'types', about: 'such as campaign.*,profile.updated; left out: all' },
    secret: { value: 'secret', about: 'that signs, whsec_…; left out: made, and printed' },
  },
  async run(given): Promise<undefined> {
    const { credential, url, forwardTo, secret } = readAll({
      credential: () => credentialIn(given),
      url: () => httpUrl('url', given.option('url') ?? standardUrl),
      forwardTo: () => forwardUrl(given),
      secret: () => secretIn(given),
    })
    const service = serviceAt(url, credential)
    const target =
      forwardTo === undefined ? null : { url: forwardTo, secret: secret ?? madeSecret() }
    const stop = new AbortController()
    const { signal } = stop
    void untilStopped().then(() => stop.abort())
    const wish = { types: given.option('events'), signal, say }
    for await (const block of eventsFrom(service, wish)) {
      const answer = target && (await forward(block, { ...target, signal }))
      if (signal.aborted) return
      process.stdout.write(`${given.json ? jsonLine(block, answer) : line(block, answer)}\n`)
    }
  },
  show: () => '',
})

/** To people: what a program reads stands on standard output alone. */
const say = (text: string) => void process.stderr.write(`${text}\n`)

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
  throw new UsageError('Give --forward-to with --secret: it signs what is posted.')
}

function secretIn({ option }: Given): string | undefined {
  const secret = option('secret')
  if (secret === undefined || /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) return secret
  throw new UsageError('--secret must be "whsec_" and at least 24 bytes in base64.')
}

function madeSecret(): string {
  const secret = newSecret()
  say(`Signing with ${secret}, made for this run.`)
  return secret
}

const jsonLine = ({ data }: Block, answer: Answer | null) =>
  // The event as it came: not even its spelling changes.
  `{"event":${data},"answer":${JSON.stringify(answer)}}`

function line({ id, type, data }: Block, answer: Answer | null): string {
  const { timestamp } = JSON.parse(data)
  return [timestamp, type.padEnd(longestType), id, ...(answer ? [answerText(answer)] : [])].join(
    ' ',
  )
}

const longestType = 'webhook_endpoint.secret_rotated'.length

const answerText = ({ status, error, duration_ms }: Answer) =>
  `→ ${status ?? error} in ${duration_ms} ms`
