import { newSecret } from '../../crypto/new-secret.ts'
import { untilStopped } from '../../process/stop-signals.ts'
import { action, type Given, UsageError } from '../command.ts'
import { readAll } from '../read-all.ts'
import { credentialIn, httpUrl, urlIn } from '../remote.ts'
import { eventsFrom, type ReceivedEvent } from './follow.ts'
import { type Answer, forward } from './forward.ts'

/** A client of the HTTP API of a service, which may run anywhere; it needs no database. */
export const listen = action({
  async run(given): Promise<undefined> {
    const { credential, url, forwardTo, secret } = readAll({
      credential: () => credentialIn(given),
      url: () => urlIn(given),
      forwardTo: () => forwardUrl(given),
      secret: () => secretIn(given),
    })
    const target =
      forwardTo === undefined ? null : { url: forwardTo, secret: secret ?? generatedSecret() }
    const stop = new AbortController()
    const { signal } = stop
    void untilStopped().then(() => stop.abort())
    const listening = { url, credential, types: given.option('events'), signal, report }
    for await (const block of eventsFrom(listening)) {
      const answer = target && (await forward(block, { ...target, signal }))
      if (signal.aborted) return
      process.stdout.write(`${given.json ? jsonLine(block, answer) : line(block, answer)}\n`)
    }
  },
  show: () => '',
})

/** Reports to people on stderr, as programs read stdout. */
const report = (text: string) => void process.stderr.write(`${text}\n`)

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

const jsonLine = ({ data }: ReceivedEvent, answer: Answer | null) =>
  // The event's text exactly as received.
  `{"event":${data},"answer":${JSON.stringify(answer)}}`

function line({ id, type, data }: ReceivedEvent, answer: Answer | null): string {
  const { timestamp } = JSON.parse(data)
  return [timestamp, type.padEnd(maxTypeLength), id, ...(answer ? [answerText(answer)] : [])].join(
    ' ',
  )
}

const maxTypeLength = 'webhook_endpoint.secret_rotated'.length

const answerText = ({ status, error, duration_ms }: Answer) =>
  `→ ${status ?? error} in ${duration_ms} ms`
