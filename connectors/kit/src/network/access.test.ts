import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { NetworkFault } from '../contract/fault.ts'
import { type AccessOptions, openAccess } from './access.ts'

let servers: Server[] = []

afterEach(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
  servers = []
})

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

const profile: AccessOptions['profile'] = {
  id: 'prf_01m7yk4mzveh7t7n0ras7brxqh',
  name: 'Account',
  account_ref: '1',
  currency: 'USD',
  time_zone: 'UTC',
  status: 'active',
  credential_ref: null,
  proxy: null,
}

const accessTo = (url: string, more: Partial<AccessOptions> = {}) =>
  openAccess({
    profile,
    accountRef: '1',
    url,
    origins: [],
    sandbox: false,
    readCredential: async () => 'secret-token',
    authorize: async (token) => ({
      headers: { authorization: `Bearer ${token}` },
      expiresAt: null,
    }),
    signal: new AbortController().signal,
    deadlineMs: 300,
    mayWrite: () => {},
    onRequest: () => {},
    ...more,
  })

const kindOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof NetworkFault ? error.kind : error
}

describe('an access', () => {
  test('adds the credential, and reads JSON', async () => {
    const port = await listen((request, response) =>
      response.end(JSON.stringify({ path: request.url, by: request.headers.authorization })),
    )
    const answer = await accessTo(`http://127.0.0.1:${port}/v25`).fetch('things?a=1')
    expect(answer.json()).toEqual({ path: '/v25/things?a=1', by: 'Bearer secret-token' })
  })

  test('says of a lost answer whether it was of a write', async () => {
    const port = await listen((request) => request.socket.destroy())
    const access = accessTo(`http://127.0.0.1:${port}`)
    expect(await kindOf(access.fetch('/a'))).toBe('transient')
    expect(await kindOf(access.fetch('/a', { method: 'POST', body: {} }))).toBe('unknown_outcome')
    expect(await kindOf(access.fetch('/a', { method: 'POST', isRead: true }))).toBe('transient')
  })

  test('says of what was never sent that it may be tried again', async () => {
    const port = await listen(() => {})
    for (const server of servers) server.close()
    const access = accessTo(`http://127.0.0.1:${port}`)
    expect(await kindOf(access.fetch('/a', { method: 'POST', body: {} }))).toBe('transient')
  })

  test('waits no longer than its deadline', async () => {
    const port = await listen(() => {})
    const access = accessTo(`http://127.0.0.1:${port}`)
    expect(await kindOf(access.fetch('/a', { method: 'PATCH', body: {} }))).toBe('unknown_outcome')
  })

  test('follows no redirect, and speaks to no other origin', async () => {
    let asked = 0
    const port = await listen((_, response) => {
      asked += 1
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
    })
    const access = accessTo(`http://127.0.0.1:${port}`)
    expect((await access.fetch('/a')).status).toBe(307)
    await expect(access.fetch('http://127.0.0.1:1/')).rejects.toThrow('no address of this network')
    await expect(access.fetch('//example.com/a')).rejects.toThrow('no address of this network')
    expect(asked).toBe(1)
  })

  test('takes the credential out of texts', async () => {
    const port = await listen((_, response) => response.end('{}'))
    const access = accessTo(`http://127.0.0.1:${port}`)
    await access.fetch('/a')
    expect(access.redact('Bearer secret-token was refused')).toBe('[redacted] was refused')
  })

  test('reads the credential again once it was refused', async () => {
    const port = await listen((_, response) => response.end('{}'))
    let reads = 0
    const readCredential = async () => `token-${++reads}`
    const access = accessTo(`http://127.0.0.1:${port}`, { readCredential })
    await access.fetch('/a')
    await access.fetch('/a')
    expect(reads).toBe(1)
    access.forget()
    await access.fetch('/a')
    expect(reads).toBe(2)
  })

  test('of a sandbox reaches this machine only', async () => {
    const access = accessTo('http://192.0.2.1', { sandbox: true })
    expect(await kindOf(access.fetch('/a'))).toBe('blocked')
  })
})

describe('a proxy', () => {
  const through = (proxy: Partial<NonNullable<AccessOptions['profile']['proxy']>>, more = {}) => {
    const whole = { protocol: 'http', host: '127.0.0.1', port: 1, username: null, password: null }
    return accessTo('http://network.invalid', {
      profile: { ...profile, proxy: { ...whole, ...proxy } },
      ...more,
    })
  }

  test('has all traffic of the account', async () => {
    const seen: unknown[] = []
    const port = await listen((request, response) => {
      seen.push([request.url, request.headers['proxy-authorization']])
      response.end('{"by": "proxy"}')
    })
    const access = through({ port, username: 'me', password: 'pass word' })
    expect((await access.fetch('/a')).json()).toEqual({ by: 'proxy' })
    const basic = `Basic ${Buffer.from('me:pass word').toString('base64')}`
    expect(seen).toEqual([['http://network.invalid/a', basic]])
  })

  test('that does not answer is not gone around', async () => {
    expect(await kindOf(through({ port: 1 }).fetch('/a'))).toBe('transient')
  })

  test('that cannot be used blocks the account', () => {
    expect(() => through({ protocol: 'socks5' })).toThrow('SOCKS5')
    expect(() => through({ host: '192.0.2.1' }, { sandbox: true })).toThrow('of this machine')
  })
})
