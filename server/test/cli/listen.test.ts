import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  begin,
  type Ended,
  type Running,
  run,
  runWith,
  type Service,
  serve,
} from '../support/machines/command-line.ts'
import { deafPort, freePort } from '../support/machines/ports.ts'
import { openReceiver, type Receiver } from '../support/machines/receiver.ts'

// A service and `flightdeck listen`, each in its own process, in order of their life cycle.
let home: string
let service: Service
let receiver: Receiver
let token: string
const begun: Running[] = []

const account = { email: 'admin@example.com', password: 'correct horse battery staple' }

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'flightdeck-listen-'))
  service = await start(String(await freePort()))
  receiver = await openReceiver()
  const reply = await post('/auth/login', account)
  token = reply.token
})
afterAll(async () => {
  for (const each of begun) each.signal('SIGTERM')
  await receiver.close()
  await service.stop('SIGTERM')
  await rm(home, { recursive: true, force: true })
})

const start = (port: string) =>
  serve(home, {
    FLIGHTDECK_PORT: port,
    FLIGHTDECK_ADMIN_EMAIL: account.email,
    FLIGHTDECK_ADMIN_PASSWORD: account.password,
  })

async function post(path: string, body: object) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  return (await fetch(`${service.url}/api/v1${path}`, request)).json() as Promise<{
    id: string
    token: string
  }>
}

/** Starts listening and waits for the connection. */
async function listen(args: string[], env: Record<string, string> = {}): Promise<Running> {
  const listening = begin(home, ['listen', '--url', service.url, ...args], env)
  begun.push(listening)
  await vi.waitFor(() => expect(listening.output.stderr).toContain('Connected to'), 30_000)
  return listening
}

async function stopped(listening: Running): Promise<Ended> {
  listening.signal('SIGINT')
  return listening.ended
}

const linesOf = ({ output }: Running) => output.stdout.split('\n').filter(Boolean)

test('each event is posted with a valid signature, and shown', async () => {
  const login = ['--email', account.email, '--password', account.password]
  const listening = await listen([...login, '--forward-to', receiver.url])
  const secret = /Signing with (\S+),/.exec(listening.output.stderr)?.[1] ?? ''
  receiver.answer(204, 500, (_, response) => response.destroy(), 302)
  for (const name of ['Größe 🚀', 'B', 'C', 'D']) await post('/templates', { name })
  await receiver.arrived(4)
  for (const { headers, body } of receiver.received) {
    const event = new Webhook(secret).verify(body, headers)
    expect(event).toMatchObject({ id: headers['webhook-id'], type: 'template.created' })
    expect(headers['user-agent']).toMatch(/^flightdeck-webhooks\//)
  }
  await vi.waitFor(() => expect(linesOf(listening)).toHaveLength(4), 30_000)
  const answers = linesOf(listening).map((line) => /→ (\S+)/.exec(line)?.[1])
  expect(answers).toEqual(['204', '500', 'UND_ERR_SOCKET', '302'])
  expect(await stopped(listening)).toMatchObject({ code: 0 })
})

test('with --json each line has the event as sent and the answer to it', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const args = ['--events', 'profile.*', '--forward-to', receiver.url, '--secret', secret]
  const env = { FLIGHTDECK_TOKEN: token }
  // The address of the API works as well: the later option wins.
  const listening = await listen([...args, '--url', `${service.url}/api/v1/`, '--json'], env)
  receiver.answer(200)
  const before = receiver.received.length
  await post('/templates', { name: 'Unheard' })
  const { id } = await post('/profiles', { name: 'Heard' })
  const [received] = (await receiver.arrived(before + 1)).slice(before)
  await vi.waitFor(() => expect(linesOf(listening)).toHaveLength(1), 30_000)
  const { event, answer } = JSON.parse(linesOf(listening)[0] ?? '')
  expect(event).toMatchObject({ type: 'profile.created', data: { object: { id } } })
  expect(answer).toEqual({ status: 200, error: null, duration_ms: expect.any(Number) })
  expect(new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toEqual(event)
  const ended = await stopped(listening)
  expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining(secret) })
})

test('streams end at once when the service stops; after its return no event is missing', async () => {
  const listening = await listen(['--token', token, '--json'])
  await post('/templates', { name: 'Before' })
  await vi.waitFor(() => expect(linesOf(listening)).toHaveLength(1), 30_000)
  const { port } = new URL(service.url)
  const began = performance.now()
  expect(await service.stop('SIGTERM')).toBe(0)
  // Far below the 30 seconds that a running request may take.
  expect(performance.now() - began).toBeLessThan(6_000)
  service = await start(port)
  for (const name of ['Meanwhile', 'Again']) await post('/templates', { name })
  await vi.waitFor(() => expect(linesOf(listening)).toHaveLength(3), 15_000)
  const names = linesOf(listening).map((line) => JSON.parse(line).event.data.object.name)
  expect(names).toEqual(['Before', 'Meanwhile', 'Again'])
  expect(listening.output.stderr).toContain('Trying again within 1 s.')
  expect((await stopped(listening)).code).toBe(0)
})

test('each error is clear, and its exit code says of which kind it is', async () => {
  const listen = (...args: string[]) => run(home, ['listen', '--url', service.url, ...args])
  const oneLine = (code: number, text: string) => ({
    code,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`^flightdeck: [^\\n]*${text}[^\\n]*\\n$`)),
  })
  const refused = (code: number, text: string) => ({
    code,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`^flightdeck: [^]*${text}[^]*What to do:`)),
  })
  const wrong = ['listen', '--url', service.url, '--email', account.email, '--password', '-']
  const unsafe = ['--token', 't', '--forward-to', receiver.url, '--secret', 'whsec_short']
  const all = ['--email', 'a@b.cd', '--forward-to', 'x', '--secret', 'y', '--url', 'z']
  const every = run(home, ['listen', ...all])
  const results = await Promise.all([
    listen(),
    listen('--email', account.email),
    listen('--token', 't', '--forward-to', 'localhost:3000'),
    listen(...unsafe),
    listen('--token', 't', '--secret', `whsec_${'A'.repeat(43)}=`),
    listen('--token', 'no.such.token'),
    runWith(home, wrong, 'wrong'),
    listen('--token', token, '--events', 'campaign.pausd'),
    run(home, ['listen', '--url', `http://127.0.0.1:${deafPort}`, '--token', 't']),
  ])
  expect(results).toEqual([
    oneLine(4, 'not logged in'),
    oneLine(2, 'together'),
    oneLine(2, 'must be an http or https URL'),
    oneLine(2, '24 bytes'),
    oneLine(2, 'Give --forward-to with --secret'),
    refused(4, 'invalid_token'),
    refused(4, 'invalid_credentials'),
    refused(1, 'did you mean "campaign.paused"'),
    oneLine(7, `127.0.0.1:${deafPort} gave no answer`),
  ])
  expect(await every).toEqual({
    code: 2,
    stdout: '',
    stderr: [
      'Give --email and --password together.',
      '--url must be an http or https URL, not "z".',
      '--forward-to must be an http or https URL, not "x".',
      '--secret must be "whsec_" and at least 24 bytes in base64.',
    ].reduce((text, line) => `${text}flightdeck: ${line}\n`, ''),
  })
})
