import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { ConfigError } from '../../src/config/config-error.ts'
import { openWorld, type Reply, type World } from '../support/world.ts'

const origin = 'https://app.example.com'
let world: World

beforeAll(async () => {
  world = await openWorld({
    env: { FLIGHTDECK_CORS_ORIGINS: `${origin},https://other.example.com` },
  })
})
afterAll(() => world.close())

const varies = ({ headers }: Reply) => String(headers.vary).split(', ').sort()

test('answers vary by origin, in addition to other headers', async () => {
  const { owner } = await world.organization()
  const headers = { origin }
  const list = await owner.get('/campaigns', headers)
  expect(list.headers['access-control-allow-origin']).toBe(origin)
  expect(varies(list)).toEqual(['Authorization', 'Origin'])
  const tried = await owner.post('/templates?validate_only=true', { name: 'T' }, headers)
  expect(tried.statusCode).toBe(200)
  expect(varies(tried)).toEqual(['Authorization', 'Origin'])
  const page = await world.app.inject({ url: '/problems/not_found', headers })
  expect(varies(page)).toEqual(['Accept', 'Accept-Encoding', 'Origin'])
  const script = await world.app.inject({ url: '/docs/scalar.js', headers })
  expect(varies(script)).toEqual(['Accept-Encoding', 'Origin'])
})

const read = (text: string) => readConfig({ FLIGHTDECK_CORS_ORIGINS: text }).corsOrigins

test('origins are normalized as browsers send them', () => {
  expect(read('*')).toEqual(['*'])
  expect(read('https://App.example.com:443, http://localhost:3000,capacitor://localhost')).toEqual([
    origin,
    'http://localhost:3000',
    'capacitor://localhost',
  ])
})

test.each([
  'zz',
  'app.example.com',
  'https://',
  'https://app.example.com/',
  'https://app.example.com/path',
  'https://*.example.com',
  'https://user@app.example.com',
  'https://app.example.com?x',
])('%s is not an origin', (text) => {
  expect(() => read(text)).toThrow(ConfigError)
  expect(() => read(text)).toThrow('is neither * nor an origin')
})
