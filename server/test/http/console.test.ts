import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleIn } from '../../src/http/site/console.ts'
import { Problem } from '../../src/problems/problem.ts'
import { openWorld, type World } from '../support/world.ts'

/** From the design of the console, to the letter. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

const meta = (content: string) => `<meta name="flightdeck-session" content="${content}" />`
const index = `<!doctype html><title>Flightdeck</title>${meta('unknown')}`
const withoutSession = `<!doctype html><title>Flightdeck</title>${meta('none')}`
const script = 'console.log("built")'.repeat(40)

let world: World
let directory: string
let built: FastifyInstance
let absent: FastifyInstance

beforeAll(async () => {
  world = await openWorld()
  directory = await mkdtemp(join(tmpdir(), 'flightdeck-console-'))
  await mkdir(join(directory, 'assets'))
  await writeFile(join(directory, 'index.html'), index)
  await writeFile(join(directory, 'assets/app-1a2b.js'), script)
  await writeFile(join(directory, 'assets/app-1a2b.js.br'), brotliCompressSync(script))
  await writeFile(join(directory, 'assets/app-1a2b.js.gz'), gzipSync(script))
  await writeFile(join(directory, 'assets/app-3c4d.css'), 'a{}')
  built = serving(directory)
  absent = serving(join(directory, 'absent'))
})
afterAll(async () => {
  await Promise.all([built.close(), absent.close(), world.close()])
  await rm(directory, { recursive: true })
})

/** The answers of the site, for a build of the test's own. */
function serving(from: string, passkeysAt: string | null = null): FastifyInstance {
  const { page: pageFor, asset } = consoleIn(from)
  const page = pageFor(passkeysAt)
  const app = fastify()
  app.setErrorHandler((error, _, reply) =>
    reply.code(error instanceof Problem ? error.status : 500).send({}),
  )
  app.get<{ Params: Record<string, string> }>('/console', page)
  app.get<{ Params: Record<string, string> }>('/console/*', page)
  app.get<{ Params: Record<string, string> }>('/console/assets/:name', asset)
  return app
}

type Headers = Record<string, string>
const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' }

const get = (app: FastifyInstance, url: string, headers: Headers = {}) =>
  app.inject({ url, headers })

test.each(['/console', '/console/campaigns/cmp_1?tab=history'])(
  '%s is the console, under its policy, never stored without a question',
  async (url) => {
    const reply = await get(built, url, navigation)
    expect([reply.statusCode, reply.body]).toEqual([200, withoutSession])
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
  },
)

test('the page says whether the browser has sent a session', async () => {
  const cookie = '__Host-flightdeck=abc; other=1'
  const reply = await get(built, '/console', { ...navigation, cookie })
  expect([reply.body, reply.headers.vary]).toEqual([index, 'Cookie'])
  const before = { ...navigation, cookie, 'if-none-match': String(reply.headers.etag) }
  expect((await get(built, '/console', before)).statusCode).toBe(304)
  const loggedOut = { ...before, cookie: 'other=1' }
  expect((await get(built, '/console', loggedOut)).body).toBe(withoutSession)
})

test('a copy that is still right is a 304', async () => {
  const { headers } = await get(built, '/console', navigation)
  const again = { ...navigation, 'if-none-match': String(headers.etag) }
  const reply = await get(built, '/console', again)
  expect([reply.statusCode, reply.body]).toEqual([304, ''])
})

test('the page names the origin that passkeys are bound to', async () => {
  const at = (origin: string) => `<meta name="flightdeck-passkeys" content="${origin}" />`
  const place = await mkdtemp(join(tmpdir(), 'flightdeck-console-'))
  await writeFile(join(place, 'index.html'), `<!doctype html><title>Flightdeck</title>${at('')}`)
  for (const origin of ['https://ads.example.com', null]) {
    const app = serving(place, origin)
    expect((await get(app, '/console', navigation)).body).toContain(at(origin ?? ''))
    await app.close()
  }
  await rm(place, { recursive: true })
})

test('only navigations get the page; anything else below it is a 404', async () => {
  const fetched = { 'sec-fetch-mode': 'cors', accept: 'text/html' }
  expect((await get(built, '/console/missing.js', fetched)).statusCode).toBe(404)
  for (const accept of ['application/json', 'image/png', 'text/html;q=0']) {
    expect((await get(built, '/console', { accept })).statusCode).toBe(404)
  }
  // Plain http to another machine comes without the header.
  const old = { accept: 'text/html,application/xhtml+xml;q=0.9' }
  expect((await get(built, '/console/profiles', old)).statusCode).toBe(200)
})

test.each([{}, { accept: '*/*' }])(
  'a monitor that sends %j gets the page, also by HEAD',
  async (sent) => {
    for (const app of [built, world.app]) {
      const page = await get(app, '/console', sent)
      const head = await app.inject({ method: 'HEAD', url: '/console', headers: sent })
      // Without a build, the real service answers 503.
      expect([200, 503]).toContain(page.statusCode)
      expect([head.statusCode, head.body]).toEqual([page.statusCode, ''])
      expect(head.headers['content-type']).toBe('text/html; charset=utf-8')
    }
    expect((await get(built, '/console', sent)).statusCode).toBe(200)
  },
)

const decoders = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body }

test.each(['br', 'gzip', 'identity'] as const)(
  'a file is sent as %s, for a year',
  async (encoding) => {
    const reply = await get(built, '/console/assets/app-1a2b.js', { 'accept-encoding': encoding })
    expect(reply.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^".+"$/),
    })
    expect(reply.headers['content-encoding'] ?? 'identity').toBe(encoding)
    expect(decoders[encoding](reply.rawPayload).toString()).toBe(script)
    const again = { 'accept-encoding': encoding, 'if-none-match': String(reply.headers.etag) }
    expect((await get(built, '/console/assets/app-1a2b.js', again)).statusCode).toBe(304)
  },
)

test('a file without a compressed twin is sent as it is', async () => {
  const reply = await get(built, '/console/assets/app-3c4d.css', { 'accept-encoding': 'br' })
  expect(reply.headers['content-encoding']).toBeUndefined()
  expect([reply.headers['content-type'], reply.body]).toEqual(['text/css; charset=utf-8', 'a{}'])
})

test.each(['absent.js', 'app-1a2b.js.br', '..%2Findex.html', 'app', '%2e%2e'])(
  'there is no file %s',
  async (name) => {
    const script = { accept: 'text/javascript' }
    expect((await get(built, `/console/assets/${name}`, script)).statusCode).toBe(404)
  },
)

test('without a build the page says how to get one', async () => {
  const reply = await get(absent, '/console', navigation)
  expect(reply.statusCode).toBe(503)
  expect(reply.body).toContain('The console is not built')
  expect(reply.body).toContain('npm ci')
  expect(reply.headers['content-security-policy']).not.toBe(policy)
})

test('a build that comes later is found', async () => {
  const later = await mkdtemp(join(directory, 'later-'))
  const app = serving(later)
  expect((await get(app, '/console', navigation)).statusCode).toBe(503)
  await writeFile(join(later, 'index.html'), index)
  expect((await get(app, '/console', navigation)).statusCode).toBe(200)
  await app.close()
})

test('the service sends browsers from / to the console, and programs its own page', async () => {
  const isBuilt = await consoleIn().isBuilt()
  const browser = await get(world.app, '/', { accept: 'text/html,*/*;q=0.8' })
  expect(browser.statusCode).toBe(isBuilt ? 302 : 200)
  if (isBuilt) expect(browser.headers.location).toBe('/console')
  const page = await get(world.app, '/console/profiles', navigation)
  expect(page.statusCode).toBe(isBuilt ? 200 : 503)
  expect(page.headers['x-content-type-options']).toBe('nosniff')
  const program = await get(world.app, '/', { accept: '*/*' })
  expect([program.statusCode, program.body.includes('/api/v1')]).toEqual([200, true])
  expect((await get(world.app, '/console/assets/absent.js')).statusCode).toBe(404)
})
