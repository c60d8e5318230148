import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cert, key } from '../../../../test/support/machines/certificate.ts'
import { deafPort } from '../../../../test/support/machines/ports.ts'
import {
  openHttpProxy,
  openRawProxy,
  openSocksProxy,
  type TestProxy,
} from '../../../../test/support/machines/proxies.ts'
import { type Access, type ProbeResult, type ProbeSettings, probe } from './probe.ts'

const credentials = { username: 'uma', password: 'hidden:away ü' }
const noCredentials = { username: null, password: null }

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

type Seen = { path: string; headers: Record<string, unknown> }

/** A server behind the proxy, with a name that only the proxy resolves. */
async function target(answer: RequestListener, { tls = false } = {}) {
  const seen: Seen[] = []
  const listener: RequestListener = (request, response) => {
    seen.push({ path: `${request.method} ${request.url}`, headers: request.headers })
    answer(request, response)
  }
  const server = tls ? createSecureServer({ key, cert }, listener) : createServer(listener)
  const port = await listen(server)
  return { url: `${tls ? 'https' : 'http'}://hooks.test:${port}/ip?a=1`, port, seen }
}

const echo: RequestListener = (_, response) => void response.end('{"ip":"203.0.113.7"}')

const kept = async <Proxy extends TestProxy>(opening: Promise<Proxy>): Promise<Proxy> => {
  const proxy = await opening
  onTestFinished(proxy.close)
  return proxy
}

const through = (proxy: Pick<TestProxy, 'port'>, access: Partial<Access>): Access => ({
  protocol: 'http',
  host: '127.0.0.1',
  port: proxy.port,
  ...noCredentials,
  ...access,
})

const check = (access: Access, checkUrl: string, settings: Partial<ProbeSettings> = {}) =>
  probe(access, { checkUrl, allowed: ['127.0.0.0/8'], ca: cert, totalMs: 2_000, ...settings })

const fine = {
  ok: true,
  latency_ms: expect.any(Number),
  egress_ip: '203.0.113.7',
  error: null,
}
const failed = (error: unknown, more: Partial<ProbeResult> = {}) => ({
  ok: false,
  latency_ms: null,
  egress_ip: null,
  error,
  ...more,
})

/** The certificate's name, whose address only these tests know. */
const named = { host: 'hooks.test' }
const resolve = async () => ['127.0.0.1']

const kinds = {
  http: { open: openHttpProxy, access: { protocol: 'http' } },
  https: {
    open: (settings: object) => openHttpProxy({ ...settings, tls: true }),
    access: { protocol: 'https', ...named },
  },
  socks5: { open: openSocksProxy, access: { protocol: 'socks5' } },
} as const

const cases = Object.values(kinds).flatMap(({ open, access }) =>
  [false, true].map((tls) => ({ open, access, tls, name: `${access.protocol}, tls ${tls}` })),
)

describe.each(cases)('a proxy of $name', ({ open, access, tls }) => {
  const isForwarded = access.protocol !== 'socks5' && !tls
  const wordsFor = ({ url, port }: { url: string; port: number }) =>
    isForwarded ? `GET ${url}` : `CONNECT hooks.test:${port}`

  test('is healthy when an answer comes, and shows its address', async () => {
    const [proxy, behind] = [await kept(open({})), await target(echo, { tls })]
    expect(await check(through(proxy, access), behind.url, { resolve })).toEqual(fine)
    expect(proxy.asked).toEqual([wordsFor(behind)])
    expect(behind.seen).toMatchObject([
      {
        path: 'GET /ip?a=1',
        headers: { host: `hooks.test:${behind.port}`, 'user-agent': 'flightdeck-proxy-check' },
      },
    ])
  })

  test('gets its credentials, which nothing behind it sees', async () => {
    const [proxy, behind] = [await kept(open({ credentials })), await target(echo, { tls })]
    const known = through(proxy, { ...access, ...credentials })
    expect(await check(known, behind.url, { resolve })).toEqual(fine)
    expect(behind.seen[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  test.each([
    noCredentials,
    { ...credentials, password: 'wrong' },
    { ...credentials, password: null },
  ])('is refused with %o', async (given) => {
    const [proxy, behind] = [await kept(open({ credentials })), await target(echo, { tls })]
    const finding = await check(through(proxy, { ...access, ...given }), behind.url, { resolve })
    const latency_ms = isForwarded ? expect.any(Number) : null
    expect(finding).toEqual(failed('proxy authentication failed', { latency_ms }))
    expect(behind.seen).toEqual([])
  })

  test('that cannot reach the check URL says so', async () => {
    const proxy = await kept(open({}))
    const { url } = await target(echo, { tls })
    const dead = url.replace(/:\d+\//, ':1/')
    const { ok, error } = await check(through(proxy, access), dead, { resolve })
    const words = {
      http: tls ? 'the proxy answered CONNECT with 502' : 'the proxy or the check URL answered 502',
      https: tls
        ? 'the proxy answered CONNECT with 502'
        : 'the proxy or the check URL answered 502',
      socks5: 'the check URL refused the proxy’s connection',
    }
    expect([ok, error]).toEqual([false, words[access.protocol]])
  })

  test.each([200, 204, 301, 399, 400, 403, 407, 499, 500, 503])(
    'and an answer of %i',
    async (status) => {
      const proxy = await kept(open({}))
      const behind = await target((_, response) => response.writeHead(status).end(), { tls })
      const { ok, error } = await check(through(proxy, access), behind.url, { resolve })
      expect(ok).toBe(isForwarded ? status < 400 : status < 500)
      if (ok) return expect(error).toBeNull()
      if (isForwarded && status === 407) return expect(error).toBe('proxy authentication failed')
      expect(error).toBe(
        `${isForwarded ? 'the proxy or the check URL' : 'the check URL'} answered ${status}`,
      )
    },
  )
})

describe('the address policy', () => {
  const url = 'http://127.0.0.1:1/'

  test('refuses a proxy at a private address', async () => {
    const proxy = await kept(openHttpProxy())
    const finding = await check(through(proxy, {}), url, { allowed: [] })
    expect(finding).toEqual(failed(expect.stringMatching(/^127\.0\.0\.1 is not allowed: loop/)))
    expect(proxy.asked).toEqual([])
  })

  test.each(['http', 'https', 'socks5'] as const)(
    'refuses a name of which one address is private, of %s',
    async (protocol) => {
      const addresses = async () => ['93.184.215.14', '10.0.0.1']
      const access = { protocol, host: 'proxy.test', port: 8080, ...noCredentials }
      const finding = await check(access, url, { resolve: addresses, allowed: [] })
      expect(finding.error).toBe('the name proxy.test has no address that may be reached from here')
    },
  )

  test('resolves the name once, and connects to that address', async () => {
    const [proxy, behind] = [await kept(openHttpProxy()), await target(echo)]
    let questions = 0
    const rebinding = async () => {
      questions += 1
      return questions === 1 ? ['127.0.0.1'] : ['10.0.0.1']
    }
    const finding = await check(through(proxy, named), behind.url, { resolve: rebinding })
    expect([finding.ok, questions]).toEqual([true, 1])
  })

  test('reports a name that does not resolve', async () => {
    const nowhere = async () => {
      throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
    }
    const finding = await check(through({ port: 8080 }, named), url, { resolve: nowhere })
    expect(finding).toEqual(
      failed('the name hooks.test has no address that may be reached from here'),
    )
  })

  test('tries the next address when the first one refuses', async () => {
    const [proxy, behind] = [await kept(openHttpProxy()), await target(echo)]
    const two = async () => ['127.0.0.2', '127.0.0.1']
    expect(await check(through(proxy, named), behind.url, { resolve: two })).toEqual(fine)
  })

  test('does not apply to the check URL, which the operator sets', async () => {
    const [proxy, behind] = [await kept(openSocksProxy()), await target(echo)]
    const access = through(proxy, { protocol: 'socks5' })
    expect(await check(access, `http://[::1]:${behind.port}/`)).toEqual(fine)
    expect(proxy.asked).toEqual([`CONNECT ${'0'.repeat(31)}1:${behind.port}`])
  })
})

describe('a host that is not a proxy', () => {
  const behind = 'https://hooks.test/'

  test('refuses', async () => {
    for (const protocol of ['http', 'https', 'socks5'] as const) {
      expect(await check(through({ port: deafPort }, { protocol }), behind)).toEqual(
        failed('the proxy refused the connection'),
      )
    }
  })

  test.each(['http', 'https', 'socks5'] as const)('hangs, of %s', async (protocol) => {
    const proxy = await kept(openRawProxy())
    for (const url of [behind, 'http://hooks.test/']) {
      const began = performance.now()
      const finding = await check(through(proxy, { protocol }), url, { totalMs: 150 })
      expect(finding).toEqual(failed('no answer within 0.15 s'))
      expect(performance.now() - began).toBeLessThan(5_000)
    }
  })

  test.each(['http', 'https', 'socks5'] as const)('hangs up, of %s', async (protocol) => {
    const proxy = await kept(openRawProxy((socket) => socket.once('data', () => socket.end())))
    const { ok, error } = await check(through(proxy, { protocol }), behind)
    expect(ok).toBe(false)
    expect(error).toMatch(/closed|disconnected/)
  })

  test.each(['http', 'https', 'socks5'] as const)('talks nonsense, of %s', async (protocol) => {
    const proxy = await kept(
      openRawProxy((socket) => socket.once('data', () => socket.write('220 mail.test ESMTP\r\n'))),
    )
    const { error } = await check(through(proxy, { protocol }), behind)
    expect(error).toMatch(/not HTTP|no TLS with the proxy: |does not speak SOCKS5/)
  })

  test.each([
    [401, 'proxy authentication failed'],
    [403, 'the proxy answered CONNECT with 403'],
    [302, 'the proxy answered CONNECT with 302'],
  ])('answers CONNECT with %i', async (status, error) => {
    const answer = `HTTP/1.1 ${status} No\r\ncontent-length: 2\r\n\r\nno`
    const proxy = await kept(
      openRawProxy((socket) => socket.once('data', () => socket.end(answer))),
    )
    expect(await check(through(proxy, {}), behind)).toEqual(failed(error))
  })

  test('shows an untrusted certificate', async () => {
    const proxy = await kept(openHttpProxy({ tls: true }))
    const access = through(proxy, { protocol: 'https', ...named })
    const strange = 'no TLS with the proxy: self-signed certificate'
    expect((await probe(access, settingsWithoutCa(behind))).error).toBe(strange)
    const other = await check({ ...access, host: 'other.test' }, behind, { resolve })
    expect(other.error).toMatch(
      /^no TLS with the proxy: Host: other\.test\. is not in the cert's altnames/,
    )
  })

  test('intercepts the connection to the check URL', async () => {
    const [proxy, { url }] = [await kept(openHttpProxy()), await target(echo, { tls: true })]
    const finding = await probe(through(proxy, {}), settingsWithoutCa(url))
    expect(finding).toEqual(failed('no TLS with the check URL: self-signed certificate'))
  })

  const settingsWithoutCa = (checkUrl: string) => ({
    checkUrl,
    allowed: ['127.0.0.0/8'],
    resolve,
    totalMs: 2_000,
  })
})

describe('a long answer', () => {
  function* lots() {
    for (;;) yield 'x'.repeat(8_192)
  }

  test('counts once its head is there, and is not read to its end', async () => {
    const proxy = await kept(openSocksProxy())
    const endless = await target((_, response) => void Readable.from(lots()).pipe(response))
    expect(await check(through(proxy, { protocol: 'socks5' }), endless.url)).toMatchObject({
      ok: true,
      egress_ip: null,
    })
  })

  test('that stops halfway counts as well, at the timeout', async () => {
    const proxy = await kept(openSocksProxy())
    const halting = await target((_, response) => {
      response.writeHead(200, { 'content-length': '20' }).write('203.0.')
    })
    const access = through(proxy, { protocol: 'socks5' })
    expect(await check(access, halting.url, { totalMs: 300 })).toMatchObject({
      ok: true,
      egress_ip: null,
      error: null,
    })
  })
})

test.each([
  ['203.0.113.7\n', '203.0.113.7'],
  ['2001:DB8::7', '2001:db8::7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['{"ip": "203.0.113.7", "country": "DE"}', '203.0.113.7'],
  ['{"origin": "203.0.113.7"}', '203.0.113.7'],
  ['{"origin": "10.0.0.1, 203.0.113.7"}', '203.0.113.7'],
  ['{"ip": 7}', null],
  ['{"ip": "fe80::1%eth0"}', null],
  ['{"ip": "203.0.113', null],
  ['["203.0.113.7"]', null],
  ['<html>203.0.113.7</html>', null],
  ['7', null],
  ['', null],
])('of %j the address is %j', async (body, address) => {
  const proxy = await kept(openSocksProxy())
  const { url } = await target((_, response) => response.end(body))
  const finding = await check(through(proxy, { protocol: 'socks5' }), url)
  expect([finding.ok, finding.egress_ip]).toEqual([true, address])
})

test('SOCKS5 has no room for long credentials', async () => {
  const proxy = await kept(openSocksProxy({ credentials }))
  const access = { protocol: 'socks5', username: 'u', password: 'ü'.repeat(128) } as const
  const finding = await check(through(proxy, access), 'http://hooks.test/')
  expect(finding).toEqual(failed('SOCKS5 takes at most 255 bytes of user name, and of password'))
})

/** The beginnings of possible answers of a proxy, with random continuations. */
const beginnings = [[], [5], [5, 0], [5, 2], [5, 2, 1, 0], [5, 0, 5, 0, 0, 1], [5, 0, 5, 0, 0, 3]]
const speeches = fc.tuple(
  fc.constantFrom<number[]>(...beginnings, [5, 0, 5, 0, 0, 4], [5, 0, 5, 7]),
  fc.uint8Array({ maxLength: 40 }),
)

test('whatever a SOCKS5 proxy sends, only the check ends', async () => {
  let speech = Buffer.alloc(0)
  const proxy = await kept(
    openRawProxy((socket) => socket.once('data', () => setTimeout(() => socket.end(speech), 1))),
  )
  const access = through(proxy, { protocol: 'socks5', ...credentials })
  const property = fc.asyncProperty(speeches, async ([beginning, rest]) => {
    speech = Buffer.from([...beginning, ...rest])
    expect(await check(access, 'https://hooks.test/')).toMatchObject({ ok: false })
  })
  await fc.assert(property, { numRuns: 200, seed: 4711 })
})

test('an aborted check has no result', async () => {
  const proxy = await kept(openRawProxy())
  const breaking = new AbortController()
  const settings = { checkUrl: 'https://hooks.test/', allowed: ['127.0.0.1'], totalMs: 5_000 }
  const finding = probe(through(proxy, {}), settings, breaking.signal)
  setTimeout(() => breaking.abort(), 50)
  await expect(finding).rejects.toThrow(/aborted/)
  await expect(probe(through(proxy, {}), settings, breaking.signal)).rejects.toThrow(/aborted/)
})
