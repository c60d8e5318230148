import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { admissionControl } from '../../src/limits/admission.ts'
import { listen } from '../support/event-stream.ts'
import { msUntil } from '../support/machines/replica.ts'
import { openWorld, type TestOrganization, unlimited, type World } from '../support/world.ts'

const mebibyte = 1024 * 1024
/** The share of one organization that is alone: of nine. */
const share = 8
let world: World
let port: number
let busy: TestOrganization
let calm: TestOrganization
const sockets: Socket[] = []

beforeAll(async () => {
  const bounds = { most: 9 * mebibyte, perTenantBeforeQueueing: 1 }
  world = await openWorld({
    env: unlimited,
    alter: (services) => ({
      ...services,
      limits: { ...services.limits, uploads: admissionControl(bounds) },
    }),
  })
  port = Number(new URL(await listen(world.app)).port)
  busy = await world.organization()
  calm = await world.organization()
})
afterAll(() => world.close())
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await msUntil(() => world.app.traffic.underWay === 0)
  expect(world.services.limits.uploads.taken).toBe(0)
})

type Request = {
  of?: TestOrganization | undefined
  path?: string
  length?: number | 'chunked'
  type?: string
  text?: string
}

type Asked = { socket: Socket; said(): string; answered(): Promise<string> }

/** The head of a request and part of its body. */
function ask({ of, path = '/templates', length = mebibyte, type, text = '{' }: Request): Asked {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let said = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    said += chunk
  })
  const headers = [
    `POST /api/v1${path} HTTP/1.1`,
    'host: x',
    `content-type: ${type ?? 'application/json'}`,
    length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`,
    ...(of ? [`authorization: Bearer ${of.owner.token}`] : []),
  ]
  const body = length === 'chunked' ? chunk(text) : text
  socket.write(`${headers.join('\r\n')}\r\n\r\n${body}`)
  return {
    socket,
    said: () => said,
    answered: async () => {
      while (!said.includes('\r\n\r\n')) await once(socket, 'data')
      return said
    },
  }
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** Fills one organization's share of bodies in flight. */
async function fill(length: Request['length'] = mebibyte): Promise<Asked[]> {
  const asked = Array.from({ length: share }, () => ask({ of: busy, length }))
  await msUntil(() => world.services.limits.uploads.taken === share * mebibyte)
  return asked
}

const overloaded = /^HTTP\/1\.1 503 .*retry-after: 1\r\n.*"code":"overloaded"/is

describe('bodies in flight are limited in bytes', () => {
  test.each([
    ['of a known length', mebibyte],
    ['in chunks, which may come to as much', 'chunked'],
  ] as const)('%s: beyond the limit the answer is 503 at once', async (_, length) => {
    await fill(length)
    expect(await ask({ of: busy, length }).answered()).toMatch(overloaded)
    // The rest is left for other organizations.
    const small = { name: `Small, while others come ${length}` }
    expect((await calm.owner.post('/templates', small)).statusCode).toBe(201)
    ask({ of: calm })
    await msUntil(() => world.services.limits.uploads.taken === (share + 1) * mebibyte)
    expect(await ask({ of: calm, length: 100 }).answered()).toMatch(overloaded)
    // Requests without a body and logins do not count.
    expect((await busy.owner.get('/templates')).statusCode).toBe(200)
    const login = { email: busy.owner.email, password: 'wrong' }
    expect((await world.anonymous.post('/auth/login', login)).statusCode).toBe(401)
  })

  test('a completed body makes room for the next', async () => {
    const [first] = await fill()
    first?.socket.write(`"name": "Large"${' '.repeat(mebibyte - 17)}}`)
    expect(await first?.answered()).toMatch(/^HTTP\/1\.1 201 /)
    expect(world.services.limits.uploads.taken).toBe((share - 1) * mebibyte)
    ask({ of: busy })
    await msUntil(() => world.services.limits.uploads.taken === share * mebibyte)
  })

  test('clients that disconnect make room', async () => {
    for (const { socket } of await fill()) socket.destroy()
    await msUntil(() => world.services.limits.uploads.taken === 0)
  })

  test('a request without a credential uses none of it', async () => {
    expect(await ask({}).answered()).toMatch(/^HTTP\/1\.1 401 /)
    expect(world.services.limits.uploads.taken).toBe(0)
  })
})

describe('a body is released however its request ends', () => {
  test.each<[string, Request, RegExp]>([
    ['malformed', { length: 3, text: '{"}' }, /^HTTP\/1\.1 400 /],
    ['another type', { length: 2, text: '{}', type: 'text/plain' }, /^HTTP\/1\.1 415 /],
    ['faulty', { length: 2, text: '{}' }, /^HTTP\/1\.1 422 /],
    ['announced too large', { length: mebibyte + 1 }, /^HTTP\/1\.1 413 /],
    [
      'too large in chunks',
      { length: 'chunked', text: ' '.repeat(mebibyte + 1) },
      /^HTTP\/1\.1 413 /,
    ],
  ])('%s', async (_, request, answer) => {
    expect(await ask({ of: busy, ...request }).answered()).toMatch(answer)
    await msUntil(() => world.services.limits.uploads.taken === 0)
  })
})

describe('where no credential is needed a body has at most 2 KiB', () => {
  const path = '/auth/login'
  const most = 2 * 1024

  test('a longer one is 413, before or after it arrives', async () => {
    expect(await ask({ path, length: most + 1 }).answered()).toMatch(/^HTTP\/1\.1 413 /)
    const chunked = ask({ path, length: 'chunked', text: ' '.repeat(most + 1) })
    expect(await chunked.answered()).toMatch(/^HTTP\/1\.1 413 .*2 KiB.*"body_too_large"/s)
  })

  test('a body up to that size is read, and not counted for an organization', async () => {
    const slow = ask({ path, length: 'chunked' })
    await msUntil(() => world.services.limits.uploads.taken === most)
    slow.socket.write(`${chunk(`${' '.repeat(most - 2)}}`)}0\r\n\r\n`)
    expect(await slow.answered()).toMatch(/^HTTP\/1\.1 422 /)
  })

  test('unknown paths are answered before the body is read', async () => {
    expect(await ask({ path: '/nothing' }).answered()).toMatch(/^HTTP\/1\.1 404 /)
    expect(await ask({ path: '/events' }).answered()).toMatch(/^HTTP\/1\.1 405 /)
  })
})
