import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packSdk } from '../../../scripts/release/pack-sdk.ts'
import { root } from '../../../scripts/run.ts'
import { version } from '../../src/version.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let packed: Buffer

beforeAll(async () => {
  world = await openWorld()
  packed = await readFile(await packSdk(join(root, 'server/sdk')))
})
afterAll(() => world.close())

const url = '/sdk/flightdeckhq-sdk.tgz'
const get = (path: string, headers = {}) => world.app.inject({ url: path, headers })

test.each([url, `/sdk/flightdeckhq-sdk-${version}.tgz`])(
  '%s is the client as npm installs it',
  async (path) => {
    const reply = await get(path, { 'accept-encoding': 'gzip, br' })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/gzip'])
    expect(reply.headers['content-encoding']).toBeUndefined()
    expect(reply.rawPayload.equals(packed)).toBe(true)
    const { etag = '' } = reply.headers
    expect(reply.headers['cache-control']).toBe('public, no-cache')
    const again = await get(path, { 'if-none-match': etag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const head = await world.app.inject({ method: 'HEAD', url: path })
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, `${packed.length}`])
  },
)

test('another version, or another file, is not there', async () => {
  for (const name of ['flightdeckhq-sdk-0.0.9.tgz', 'flightdeckhq-sdk', '..%2Fpackage.json']) {
    const reply = await get(`/sdk/${name}`)
    expect([name, reply.statusCode]).toEqual([name, 404])
  }
  expect((await get('/sdk/flightdeckhq-sdk-0.0.9.tgz')).json().detail).toContain(version)
  expect((await world.app.inject({ method: 'POST', url })).statusCode).toBe(405)
})

test('it has the same bytes each time that it is packed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'flightdeck-pack-'))
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(digest(await readFile(await packSdk(directory)))).toBe(digest(packed))
  await rm(directory, { recursive: true })
})

test('the index of the API names it', async () => {
  expect((await get('/api/v1')).json().links.sdk).toBe(url)
})
