import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { type Client, openWorld, unlimited, type World } from '../support/world.ts'

let world: World
let owner: Client
let campaign: string

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  const organization = await world.organization()
  owner = organization.owner
  const profile = await profileOf(organization)
  const body = { ...campaignBody(profile), notes: 'n'.repeat(1_000) }
  campaign = `/campaigns/${await made(owner, '/campaigns', body)}`
})
afterAll(() => world.close())

const accepting = (encoding: string) => ({ 'accept-encoding': encoding })
const encodingOf = async (accept: string, path = campaign) =>
  (await owner.get(path, accepting(accept))).headers['content-encoding']

const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync }

describe('a reply of 1 KiB and more', () => {
  test.each(Object.entries(decoders))('is compressed with %s', async (name, decode) => {
    const plain = await owner.get(campaign)
    const reply = await owner.get(campaign, accepting(name))
    expect(reply.headers).toMatchObject({
      'content-encoding': name,
      'content-length': String(reply.rawPayload.length),
      vary: 'Authorization, Accept-Encoding',
      etag: '"1"',
    })
    expect(reply.rawPayload.length).toBeLessThan(plain.body.length / 2)
    expect(decode(reply.rawPayload).toString()).toBe(plain.body)
  })

  test('comes as the client prefers, and plain where it takes none of these', async () => {
    expect(await encodingOf('gzip, deflate, br, zstd')).toBe('br')
    expect(await encodingOf('br;q=0.1, gzip;q=0.9')).toBe('gzip')
    expect(await encodingOf('*')).toBe('br')
    for (const accept of ['', 'identity', 'deflate', 'br;q=0', 'gzip;q=0.1, identity']) {
      expect([accept, await encodingOf(accept)]).toEqual([accept, undefined])
    }
    const plain = await owner.get(campaign)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toBe('Authorization, Accept-Encoding')
  })

  test('is the same by HEAD, and 304 for who has it', async () => {
    const headers = accepting('gzip')
    const got = await owner.get(campaign, headers)
    const head = await owner.call({ method: 'HEAD', url: campaign, headers })
    for (const name of ['content-encoding', 'content-length', 'vary', 'etag']) {
      expect([name, head.headers[name]]).toEqual([name, got.headers[name]])
    }
    expect(head.rawPayload).toHaveLength(0)
    const kept = await owner.get(campaign, { ...headers, 'if-none-match': 'W/"1"' })
    expect([kept.statusCode, kept.body]).toEqual([304, ''])
    expect(kept.headers).toMatchObject({ etag: '"1"', vary: 'Authorization, Accept-Encoding' })
    expect(kept.headers['content-encoding']).toBeUndefined()
  })
})

test('shorter replies, secrets and streams come as they are', async () => {
  expect(await encodingOf('gzip', '/organization')).toBeUndefined()
  expect(await encodingOf('gzip', '/audit_logs/export')).toBeUndefined()
  const body = {
    url: 'https://hooks.example.com',
    metadata: { a: 'x'.repeat(500), b: 'y'.repeat(500) },
  }
  const reply = await owner.post('/webhook_endpoints', body, accepting('gzip'))
  expect(reply.json().secret).toMatch(/^whsec_/)
  expect(reply.headers['content-encoding']).toBeUndefined()
})

test('a weak tag, as proxies that compress make it, names the version', async () => {
  const { id } = (await owner.post('/templates', { name: 'T' })).json()
  const patch = (tag: string) =>
    owner.patch(`/templates/${id}`, { description: tag }, { 'if-match': tag })
  expect((await patch('W/"1"')).json().version).toBe(2)
  expect((await patch('W/"1"')).statusCode).toBe(412)
  expect((await patch('W/"1", W/"2"')).json().version).toBe(3)
})
