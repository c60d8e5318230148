import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { type CredentialOptions, clientWith } from '../account/credential.ts'
import { httpUrl, placeOf } from '../account/session.ts'
import { UsageError } from '../faults.ts'
import { clean } from '../output/clean.ts'
import { readAll } from '../read-all.ts'
import { eventsFrom, type ReceivedEvent } from './follow.ts'
import { type Answer, forward } from './forward.ts'

export type ListenOptions = CredentialOptions & {
  events?: string
  forwardTo?: string
  secret?: string
  json?: boolean
}

/** Shows each event, until it is interrupted, and posts it to a program on this machine. */
export async function listen(command: Command, options: ListenOptions): Promise<void> {
  const { service, forwardTo, secret } = await readAll({
    service: () => clientWith(command, options),
    place: () => placeOf(command),
    forwardTo: () => forwardUrl(options),
    secret: () => secretIn(options),
  })
  const target =
    forwardTo === undefined ? null : { url: forwardTo, secret: secret ?? generatedSecret() }
  const stop = new AbortController()
  const { signal } = stop
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => stop.abort())
  }
  for await (const event of eventsFrom({ ...service, types: options.events, signal, report })) {
    const answer = target && (await forward(event, { ...target, signal }))
    if (signal.aborted) return
    process.stdout.write(`${options.json ? jsonLine(event, answer) : line(event, answer)}\n`)
  }
}

/** Reports to people on stderr, as programs read stdout. */
const report = (text: string) => void process.stderr.write(`${text}\n`)

function forwardUrl({ forwardTo, secret }: ListenOptions): string | undefined {
  if (forwardTo !== undefined) return httpUrl(forwardTo, '--forward-to')
  if (secret === undefined) return undefined
  throw new UsageError('Give --forward-to with --secret: it signs the forwarded events.')
}

function secretIn({ secret }: ListenOptions): string | undefined {
  if (secret === undefined || /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) return secret
  throw new UsageError('--secret must be "whsec_" and at least 24 bytes in base64.')
}

function generatedSecret(): string {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  report(`Signing with ${secret}, generated for this run.`)
  return secret
}

const jsonLine = ({ data }: ReceivedEvent, answer: Answer | null) =>
  // The event's text exactly as received.
  `{"event":${data},"answer":${JSON.stringify(answer)}}`

function line({ id, type, data }: ReceivedEvent, answer: Answer | null): string {
  const { timestamp } = JSON.parse(data)
  const answered = answer ? [answerText(answer)] : []
  return clean([timestamp, type.padEnd(maxTypeLength), id, ...answered].join(' '))
}

const maxTypeLength = 'webhook_endpoint.secret_rotated'.length

const answerText = ({ status, error, duration_ms }: Answer) =>
  `→ ${status ?? error} in ${duration_ms} ms`
