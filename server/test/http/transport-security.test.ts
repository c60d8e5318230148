import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../support/world.ts'

let secure: World
let plain: World

beforeAll(async () => {
  secure = await openWorld({ env: { FLIGHTDECK_PUBLIC_URL: 'https://ads.example.com' } })
  plain = await openWorld({ env: { FLIGHTDECK_PUBLIC_URL: 'http://ads.example.com' } })
})
afterAll(() => Promise.all([secure.close(), plain.close()]))

const header = async ({ app }: World, url: string) =>
  (await app.inject(url)).headers['strict-transport-security']

test.each([
  ['a page', '/'],
  ['a probe', '/livez'],
  ['a refusal', '/api/v1/campaigns'],
  ['a path that there is not', '/nothing'],
  ['a path that the router cannot read', '/%'],
])('HSTS is sent when the public URL is https: %s', async (_, url) => {
  expect(await header(secure, url)).toBe('max-age=31536000')
  expect(await header(plain, url)).toBeUndefined()
})
