import { existsSync } from 'node:fs'
import { Ajv } from 'ajv'
import type { InjectOptions } from 'fastify'
import pino from 'pino'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openDatabase } from '../../src/database/database.ts'
import { readinessOf } from '../../src/observability/readiness.ts'
import { problemKinds } from '../../src/problems/codes.ts'
import { fieldFaults } from '../../src/problems/fault-codes.ts'
import { revision } from '../../src/version.ts'
import { openWorld, password, type World } from '../support/world.ts'

const metricsToken = 'scrape-me'
const browserPath = '/usr/bin/chromium'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: { FLIGHTDECK_METRICS_TOKEN: metricsToken } })
})
afterAll(() => world.close())

type Headers = Record<string, string>

const get = (url: string, headers: Headers = {}, method: InjectOptions['method'] = 'GET') =>
  world.app.inject({ method: method ?? 'GET', url, headers })

const json = { accept: 'application/json' }
const html = 'text/html; charset=utf-8'
const pages = ['/', '/docs', '/problems', '/problems/not_found']

describe('pages', () => {
  test.each(pages)(
    '%s is HTML that may not be framed and fetches nothing from elsewhere',
    async (url) => {
      const reply = await get(url)
      expect(reply.statusCode).toBe(200)
      expect(reply.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
      expect(reply.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    },
  )

  test.each(pages)('%s answers HEAD, and 304 for a cached copy', async (url) => {
    const head = await get(url, {}, 'HEAD')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    const again = await get(url, { 'if-none-match': String(head.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('the home page links to the documentation and shows the first steps', async () => {
    const { body } = await get('/')
    for (const link of ['/docs', '/problems', '/api/v1/openapi.json', '/readyz']) {
      expect(body).toContain(`href="${link}"`)
    }
    expect(body).toContain('Ready for requests')
    expect(body).toContain('/api/v1')
  })

  test('every problem has a page and the same facts as JSON', async () => {
    for (const code of Object.keys(problemKinds)) {
      const [page, facts] = await Promise.all([
        get(`/problems/${code}`),
        get(`/problems/${code}`, json),
      ])
      expect(page.body).toContain(code)
      expect(facts.json()).toMatchObject({ code, example: { code, type: `/problems/${code}` } })
    }
    expect((await get('/problems', json)).json().data).toHaveLength(
      Object.keys(problemKinds).length,
    )
  })

  test('every fault of a field has a page and the same facts as JSON', async () => {
    const index = (await get('/problems', json)).json()
    expect(index.field_faults).toHaveLength(Object.keys(fieldFaults).length)
    for (const { type, code } of index.field_faults) {
      const [page, facts] = await Promise.all([get(type), get(type, json)])
      expect(page.body).toContain('What to do')
      expect(facts.json()).toEqual({
        type,
        code,
        cause: expect.stringMatching(/.{15}/),
        fix: expect.stringMatching(/.{8}/),
      })
    }
  })

  test('a slash at the end of a page leads to the page', async () => {
    for (const path of ['/docs', '/problems']) {
      const reply = await get(`${path}/`)
      expect([reply.statusCode, reply.headers.location]).toEqual([308, path])
    }
  })

  test('the base URL of the API lists its documents and collections', async () => {
    const index = (await get('/api/v1')).json()
    expect(index.collections).toContain('/api/v1/campaigns')
    for (const link of [index.links.documentation, index.links.openapi, index.links.problems]) {
      expect((await get(link)).statusCode).toBe(200)
    }
  })

  test('problems are HTML unless Accept ranks JSON higher', async () => {
    const typeFor = async (accept: string) =>
      (await get('/problems/not_found', { accept })).headers['content-type']
    expect(await typeFor('*/*')).toContain('text/html')
    expect(await typeFor('text/html, application/json;q=0.9')).toContain('text/html')
    expect(await typeFor('application/*, text/html;q=0.5')).toContain('application/json')
    expect(await typeFor('application/json, text/plain, */*')).toContain('application/json')
    expect(await typeFor('application/json;q=0, */*')).toContain('text/html')
    expect(await typeFor('image/png')).toContain('text/html')
  })

  test('an unknown problem is a 404, whatever the text', async () => {
    for (const code of ['nothing', 'toString', '__proto__', '%3Cscript%3E']) {
      expect((await get(`/problems/${code}`)).statusCode).toBe(404)
    }
  })

  test('a path of the site with another method is a 405 that lists the methods', async () => {
    for (const url of [...pages, '/livez', '/metrics', '/api/v1/openapi.json']) {
      const reply = await get(url, {}, 'POST')
      expect([url, reply.statusCode, reply.headers.allow]).toEqual([url, 405, 'GET, HEAD'])
    }
  })
})

describe('the OpenAPI document', () => {
  test('needs no token and is stable until the service changes', async () => {
    const reply = await get('/api/v1/openapi.json')
    expect(reply.json()['x-revision']).toBe(revision)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.json()).toMatchObject({ openapi: '3.1.1', servers: [{ url: '/api/v1' }] })
    const again = await get('/api/v1/openapi.json', { 'if-none-match': String(reply.headers.etag) })
    expect(again.statusCode).toBe(304)
  })

  test('names the public URL where the operator has set it', async () => {
    const other = await openWorld({ env: { FLIGHTDECK_PUBLIC_URL: 'https://ads.example.com' } })
    const reply = await other.app.inject({ url: '/api/v1/openapi.json' })
    await other.close()
    expect(reply.json().servers).toEqual([{ url: 'https://ads.example.com/api/v1' }])
  })
})

describe('health', () => {
  test('livez answers without checking anything', async () => {
    const reply = await get('/livez')
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(reply.json()).toEqual({ status: 'ok' })
  })

  test('readyz lists its checks', async () => {
    const reply = await get('/readyz')
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({
      status: 'ready',
      checks: { database: 'ok', migrations: 'ok' },
    })
  })

  test('readyz is 503 with the reason while draining and when the queue has failed', async () => {
    const other = await openWorld()
    const {
      observability: { readiness },
    } = other.services
    readiness.setQueue('failed')
    const failed = await other.app.inject('/readyz')
    readiness.setQueue('running')
    readiness.drain()
    const draining = await other.app.inject('/readyz')
    await other.close()
    expect(failed.json()).toMatchObject({ status: 'not_ready', checks: { queue: 'failed' } })
    expect(draining.json()).toMatchObject({ status: 'not_ready', draining: true })
    expect([failed.statusCode, draining.statusCode]).toEqual([503, 503])
    expect(draining.headers['retry-after']).toBe('1')
  })

  test('readyz is 503 when the database is gone, and livez still 200', async () => {
    const gone = openDatabase({ ...inject('address'), port: 1 })
    const services = {
      ...world.services,
      observability: { ...world.services.observability, readiness: readinessOf(gone.reader) },
    }
    const app = await buildApp({ services, logger: pino({ level: 'silent' }) })
    const [ready, alive] = [await app.inject('/readyz'), await app.inject('/livez')]
    await Promise.all([app.close(), gone.close()])
    expect(ready.json()).toMatchObject({ status: 'not_ready', checks: { database: 'failed' } })
    expect([ready.statusCode, alive.statusCode]).toEqual([503, 200])
  })

  test('the OpenAPI document refuses parameters, like its neighbours', async () => {
    const reply = await get('/api/v1/openapi.json?bogus=1')
    expect(reply.json()).toMatchObject({
      status: 400,
      code: 'unknown_parameter',
      errors: [{ parameter: 'bogus' }],
    })
  })

  test('a missing Authorization header is one problem, a scheme other than Bearer another', async () => {
    expect((await get('/problems/missing_token')).body).toContain(
      'no <code>Authorization</code> header',
    )
    expect((await get('/problems/invalid_token')).body).toContain('<code>Basic …</code>')
  })

  test('the schema of project files is there for editors', async () => {
    const reply = await get('/schemas/project.v1.json')
    expect(reply.headers['content-type']).toBe('application/schema+json; charset=utf-8')
    const ajv = new Ajv({ strict: false, validateFormats: false })
    const isValid = ajv.compile(reply.json())
    const campaign = {
      objective: 'sales',
      daily_budget: 33.51,
      schedule: [{ day: ['mon', 'tue'], start: '08:00', end: '20:00' }],
    }
    expect([isValid({ project: 'a', campaigns: { b: campaign } }), isValid.errors]).toEqual([
      true,
      null,
    ])
    expect(isValid({ project: 'a', campaigns: { b: { dayly_budget: 1 } } })).toBe(false)
    const known = { 'if-none-match': String(reply.headers.etag) }
    expect((await get('/schemas/project.v1.json', known)).statusCode).toBe(304)
  })

  test('the public keys are published', async () => {
    await world.organization()
    const reply = await get('/.well-known/jwks.json')
    expect(reply.json().keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519' })
    expect(reply.json().keys[0]).not.toHaveProperty('d')
  })
})

describe('metrics', () => {
  test('count requests by route, for the holder of the token', async () => {
    await get('/problems/not_found')
    const reply = await get('/metrics', { authorization: `Bearer ${metricsToken}` })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toContain('text/plain')
    expect(reply.body).toContain('route="/problems/:code"')
    expect(reply.body).toContain('process_resident_memory_bytes')
  })

  test('are a 401 without the token or with a wrong one', async () => {
    expect((await get('/metrics')).json()).toMatchObject({ status: 401, code: 'missing_token' })
    const wrong = await get('/metrics', { authorization: 'Bearer scrape-you' })
    expect(wrong.json()).toMatchObject({ status: 401, code: 'invalid_token' })
    expect(wrong.headers['www-authenticate']).toBe('Bearer')
  })

  test('are a 404 while no token is configured', async () => {
    const other = await openWorld()
    const reply = await other.app.inject('/metrics')
    await other.close()
    expect(reply.json()).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe('the API reference', () => {
  let browser: Browser | undefined
  let origin: string | undefined

  afterAll(() => browser?.close())

  test('its script is compressed when the client accepts that', async () => {
    const plain = await get('/docs/scalar.js')
    const small = await get('/docs/scalar.js', { 'accept-encoding': 'gzip, br' })
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    const known = await get('/docs/scalar.js', { 'if-none-match': String(plain.headers.etag) })
    expect(known.statusCode).toBe(304)
  })

  async function openReference(watched: (page: Page) => void = () => {}): Promise<Page> {
    origin ??= await world.app.listen({ host: '127.0.0.1', port: 0 })
    browser ??= await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
    const page = await browser.newPage()
    watched(page)
    await page.goto(`${origin}/docs`)
    await page.getByText('Log in', { exact: true }).first().waitFor()
    return page
  }

  test.skipIf(!existsSync(browserPath))(
    'renders the operations in a browser, without requests to other hosts',
    async () => {
      const requested: string[] = []
      const complaints: string[] = []
      const page = await openReference((page) => {
        page.on('request', (request) => requested.push(request.url()))
        page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
        page.on('pageerror', (error) => complaints.push(String(error)))
      })
      await page.getByRole('link', { name: 'Campaigns' }).first().click()
      await page.getByText('Create a campaign', { exact: true }).first().waitFor()
      const sought = requested.filter((url) => !/^(data|blob):/.test(url))
      const own = ['/docs', '/api/v1/openapi.json', '/docs/scalar.js', '/docs/start.js']
      expect(sought.sort()).toEqual(own.map((path) => `${origin}${path}`).sort())
      expect(complaints).toEqual([])
    },
    60_000,
  )

  test.skipIf(!existsSync(browserPath))(
    'uses the token of a login for its next requests',
    async () => {
      const { owner } = await world.organization()
      const page = await openReference()
      await page.getByRole('link', { name: 'Log in' }).first().click()
      await page
        .getByRole('button', { name: /Test Request/ })
        .first()
        .click()
      await page.locator('.cm-content').last().click()
      await page.keyboard.press('Control+a')
      await page.keyboard.insertText(JSON.stringify({ email: owner.email, password }))
      const login = page.waitForResponse(/auth\/login$/)
      await page.getByRole('button', { name: /^Send/ }).first().click()
      const { token } = await (await login).json()
      const shown = page.locator('input').filter({ visible: true })
      await page.keyboard.press('Escape')
      const values = () => shown.evaluateAll((all) => all.map((each) => Reflect.get(each, 'value')))
      await expect.poll(values, { timeout: 20_000 }).toContain(token)
    },
    60_000,
  )
})

describe('a path without a route', () => {
  const unknown = async (method: 'GET' | 'POST', url: string) => {
    const reply = await get(url, json, method)
    expect([reply.statusCode, reply.json().title]).toEqual([404, 'Not found'])
    return reply.json().detail
  }

  test('names the route that was probably meant', async () => {
    expect(await unknown('POST', '/api/v1/campaign')).toBe(
      'No route POST /api/v1/campaign; did you mean /api/v1/campaigns?',
    )
    expect(await unknown('GET', '/campaigns')).toContain('did you mean /api/v1/campaigns?')
    expect(await unknown('GET', '/readyz/')).toContain('did you mean /readyz?')
    expect(await unknown('GET', '/api/v1/campaigns/x/launched')).toContain('/x/launch?')
  })

  test('names none where nothing is similar, and repeats no long path', async () => {
    expect(await unknown('GET', '/api/v1/delivery')).toBe('No route GET /api/v1/delivery.')
    expect(await unknown('GET', `/api/v1/${'a'.repeat(300)}`)).toBe(
      'Nothing exists at this address.',
    )
  })

  test('is a page for a browser', async () => {
    const reply = await get('/campagns?<script>', { accept: 'text/html,*/*;q=0.8' })
    expect(reply.statusCode).toBe(404)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(reply.body).toContain('No route GET /campagns')
    expect(reply.body).not.toContain('<script>')
  })

  test.each(['/problems/fame', '/console/assets/gone.js'])(
    '%s is a page for a browser, and data for a program',
    async (url) => {
      const page = await get(url, { accept: 'text/html,*/*;q=0.8' })
      expect([page.statusCode, page.headers['content-type']]).toEqual([404, html])
      expect(page.body).toContain('href="/problems"')
      expect((await get(url, json)).json()).toMatchObject({ status: 404, code: 'not_found' })
    },
  )
})
