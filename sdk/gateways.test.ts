import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createFlightdeck,
  FlightdeckConnectionError,
  FlightdeckError,
  FlightdeckTimeout,
} from './src/client.ts'
import { waitBefore } from './src/transport/wait.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A server between the client and the service, on a port of its own. */
async function gateway(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}/api/v1`
}

type Answer = { status: number; headers?: Record<string, string>; body: string }

/** Gives these answers, one after the other, and then the last; counts the requests. */
async function answering(...answers: Answer[]) {
  const seen: string[] = []
  const baseUrl = await gateway((request, response) => {
    const {
      status,
      headers = {},
      body,
    } = answers[Math.min(seen.length, answers.length - 1)] ?? busy
    seen.push(String(request.method))
    response.writeHead(status, headers).end(body)
  })
  const flightdeck = createFlightdeck({ baseUrl, token: 't', retries: 1 })
  return { flightdeck, seen }
}

const page = '<!doctype html><title>Log in</title>'
const html = { 'content-type': 'text/html', 'x-request-id': 'gw-7' }
const problem = { 'content-type': 'application/problem+json' }
const json = { 'content-type': 'application/json' }
const busy: Answer = { status: 503, headers: { ...problem, 'retry-after': '0' }, body: '' }

async function thrown(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (reason: unknown) => reason,
  )
}

const foreign: Record<string, [Answer, number]> = {
  'a page that forbids': [{ status: 403, headers: html, body: page }, 1],
  'a page in the place of the answer': [{ status: 200, headers: html, body: page }, 1],
  'a page of a bad gateway': [{ status: 502, headers: html, body: page }, 2],
  'a gateway that waited in vain': [{ status: 504, headers: html, body: page }, 2],
  'a problem without a body': [{ status: 503, headers: problem, body: '' }, 2],
  'a problem that is cut': [{ status: 503, headers: problem, body: '{"code":"unavai' }, 2],
  'a foreign problem': [{ status: 503, headers: problem, body: '{"title":"Busy"}' }, 2],
  'a foreign list': [{ status: 429, headers: json, body: '[]' }, 2],
  null: [{ status: 500, headers: json, body: 'null' }, 1],
  'an answer without a body': [{ status: 200, headers: json, body: '' }, 1],
  'an answer that is cut': [{ status: 200, headers: json, body: '{"data":[{"id"' }, 1],
}

describe('what a gateway answers is one error, retried by its status', () => {
  test.each(Object.entries(foreign))('%s', async (_, [answer, attempts]) => {
    const { flightdeck, seen } = await answering(answer)
    const error = await thrown(flightdeck.campaigns.list())
    expect(error).toBeInstanceOf(FlightdeckError)
    expect(error).toMatchObject({
      status: answer.status,
      code: 'unknown',
      requestId: answer.headers === html ? 'gw-7' : '',
      errors: [],
    })
    expect(String(error)).toContain(answer.body.slice(0, 20) || 'The answer is empty')
    expect(seen).toHaveLength(attempts)
  })

  test('a gateway that answers in place of a file or a stream is one error', async () => {
    const { flightdeck } = await answering({ status: 200, headers: html, body: page })
    const file = await thrown(flightdeck.campaigns.export())
    expect(file).toMatchObject({ name: 'FlightdeckError', status: 200, requestId: 'gw-7' })
    const stream = flightdeck.events.stream()[Symbol.asyncIterator]()
    expect(await thrown(stream.next())).toMatchObject({ name: 'FlightdeckError', status: 200 })
  })

  test('a gateway that answers in place of a login is one error', async () => {
    const baseUrl = await gateway((_, response) => void response.writeHead(200, html).end(page))
    const login = { email: 'a@example.com', password: 'p' }
    const flightdeck = createFlightdeck({ baseUrl, login, retries: 0 })
    const error = await thrown(flightdeck.auth.me())
    expect(error).toMatchObject({ name: 'FlightdeckError', code: 'unknown', status: 200 })
  })

  test.each([301, 307])(
    'redirects (%i) are not followed, with no body or password',
    async (status) => {
      const headers = { location: 'https://elsewhere.example/api/v1' }
      const { flightdeck, seen } = await answering({ status, headers, body: '' })
      const login = { email: 'a@example.com', password: 'p' }
      const baseUrl = await gateway((_, response) => void response.writeHead(status, headers).end())
      const calls = [
        flightdeck.campaigns.list(),
        flightdeck.profiles.create({ name: 'Main' }),
        createFlightdeck({ baseUrl, login }).auth.me(),
      ]
      for (const error of await Promise.all(calls.map(thrown))) {
        expect(error).toMatchObject({ name: 'FlightdeckError', code: 'unknown', status })
        expect(String(error)).toContain('redirect to https://elsewhere.example/api/v1')
      }
      expect(seen.toSorted()).toEqual(['GET', 'POST'])
    },
  )

  test('a write is repeated with the same key until the service answers', async () => {
    const { flightdeck, seen } = await answering(
      { status: 502, headers: { ...html, 'retry-after': '0' }, body: page },
      { status: 201, headers: json, body: '{"id":"prf_1"}' },
    )
    expect(await flightdeck.profiles.create({ name: 'Main' })).toEqual({ id: 'prf_1' })
    expect(seen).toEqual(['POST', 'POST'])
  })
})

describe('Retry-After', () => {
  const late = (value: string, date?: string): Answer => ({
    status: 503,
    headers: { ...html, 'retry-after': value, ...(date !== undefined && { date }) },
    body: page,
  })
  const seconds = async (answer: Answer) => {
    const { flightdeck } = await answering(answer)
    const error = await thrown(flightdeck.campaigns.list({}, { retries: 0 }))
    return error instanceof FlightdeckError ? error.retryAfterSeconds : error
  }

  test('is read as seconds, and as a date on the clock of the sender', async () => {
    expect(await seconds(late('7'))).toBe(7)
    const sent = 'Mon, 07 Jul 2025 10:00:00 GMT'
    expect(await seconds(late('Mon, 07 Jul 2025 10:02:00 GMT', sent))).toBe(120)
    expect(await seconds(late('Mon, 07 Jul 2025 09:00:00 GMT', sent))).toBe(0)
    for (const odd of ['soon', '-1', '1.5', '0x10', '']) expect(await seconds(late(odd))).toBe(null)
  })

  test('is kept, with up to a fifth more, so that not all clients return together', () => {
    const waits = [0, 0.5, 1].map((at) => waitBefore(0, 10, () => at).ms)
    expect(waits).toEqual([10_000, 11_000, 12_000])
    expect(waitBefore(3, 10, () => 1).leastMs).toBe(10_000)
    expect([0, 1, 2].map((attempt) => waitBefore(attempt, null).leastMs)).toEqual([250, 500, 1_000])
  })
})

describe('without an answer', () => {
  test('the error has the cause and the attempts', async () => {
    const baseUrl = await gateway(() => {})
    servers.splice(0).forEach((server) => void server.close())
    const error = await thrown(
      createFlightdeck({ baseUrl, token: 't', retries: 1 }).campaigns.list(),
    )
    if (!(error instanceof FlightdeckConnectionError)) throw error
    expect(error).toMatchObject({ attempts: 2, cause: { message: 'fetch failed' } })
    expect(error.message).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+ gave no answer in 2 attempts: .*ECONN/,
    )
    expect(error).not.toBeInstanceOf(FlightdeckTimeout)
  })

  test('a connection that breaks within the answer is one too', async () => {
    const baseUrl = await gateway((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"data":')
      setTimeout(() => response.destroy(), 20)
    })
    const error = await thrown(
      createFlightdeck({ baseUrl, token: 't', retries: 0 }).campaigns.list(),
    )
    expect(error).toMatchObject({ name: 'FlightdeckConnectionError', attempts: 1 })
  })

  test('a timeout is one too, also of the login', async () => {
    const baseUrl = await gateway(() => {})
    const options = { baseUrl, timeoutMs: 30, retries: 0 }
    const error = await thrown(createFlightdeck({ ...options, token: 't' }).campaigns.list())
    expect(error).toBeInstanceOf(FlightdeckTimeout)
    expect(error).toBeInstanceOf(FlightdeckConnectionError)
    const login = { email: 'a@example.com', password: 'p' }
    const late = await thrown(createFlightdeck({ ...options, login }).campaigns.list())
    expect(late).toBeInstanceOf(FlightdeckTimeout)
  })

  test('what the caller’s own functions throw is not retried', async () => {
    const { flightdeck, seen } = await answering(busy)
    const { signal } = new AbortController()
    const reason = 'no header can hold this: ✓'
    expect(await thrown(flightdeck.templates.delete('tpl_1', { reason, signal }))).toBeInstanceOf(
      TypeError,
    )
    const broken = createFlightdeck({
      baseUrl: 'http://127.0.0.1:9',
      token: () => Promise.reject(new TypeError('no token')),
    })
    await expect(broken.campaigns.list()).rejects.toThrow('no token')
    expect(seen).toEqual([])
  })
})

describe('the base URL is checked at once', () => {
  test.each([
    [undefined, 'baseUrl is missing'],
    [null, 'baseUrl is missing'],
    ['', 'baseUrl is missing'],
    [8080, 'is not text but number'],
    ['127.0.0.1:8080/api/v1', 'is no http or https URL'],
    ['localhost:8080/api/v1', 'is no http or https URL'],
    ['/api/v1', 'is no http or https URL'],
    ['ftp://example.com', 'is no http or https URL'],
    ['https://example.com/api/v1?x=1', 'goes on after its path'],
    ['https://example.com/api/v1#x', 'goes on after its path'],
    ['https://ada:secret@example.com/api/v1', 'has a user name or password'],
  ])('%s', (baseUrl, message) => {
    const create = () => createFlightdeck({ baseUrl: baseUrl as string, token: 't' })
    expect(create).toThrow(TypeError)
    expect(create).toThrow(message)
    expect(create).not.toThrow('secret')
  })

  test('slashes at its end do not matter', async () => {
    const paths: string[] = []
    const baseUrl = await gateway((request, response) => {
      paths.push(String(request.url))
      response.writeHead(200, json).end('{}')
    })
    await createFlightdeck({ baseUrl: `${baseUrl}//`, token: 't' }).auth.me()
    expect(paths).toEqual(['/api/v1/auth/me'])
  })
})

test('catch is typed as that of a promise', async () => {
  const { flightdeck } = await answering({ status: 404, headers: html, body: page })
  const message = await flightdeck.auth.me().catch((error: Error) => error.message)
  expect(message).toContain('404')
})
