import { generateKeyPairSync } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { credential } from '../test/credential.ts'
import { type Opened, opened } from '../test/opened.ts'

let all: Opened
afterEach(() => all.fake.close())

const facts = () => all.adapter.account(all.access)

test('a refresh token is turned into an access token, once for its hour', async () => {
  all = await opened()
  await facts()
  await facts()
  expect(all.fake.counts.get('token')).toBe(1)
  const texts = ['secret-1', 'refresh-1', [...all.fake.issuer.issued].join()]
  for (const text of texts) expect(all.access.redact(`It was ${text}.`)).toBe('It was [redacted].')
})

test('a service account signs for its own', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const key = { type: 'service_account', client_email: 'a@b.example', private_key: pem }
  all = await opened({ text: JSON.stringify(key) })
  await expect(facts()).rejects.toThrow('not valid any more')
  const spki = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  all.fake.issuer.services.set('a@b.example', spki)
  expect(await facts()).toMatchObject({ currency: 'USD' })
})

test('the manager is named in each request', async () => {
  const json = { ...JSON.parse(credential), login_customer_id: '99-9' }
  all = await opened({ text: JSON.stringify(json), facts: { manager: '999' } })
  expect(await facts()).toMatchObject({ status: 'active' })
})

test.each([
  ['{', 'must be JSON'],
  ['{"client_id": "client-1"}', 'must be JSON'],
  [
    JSON.stringify({ ...JSON.parse(credential), refresh_token: 'old' }),
    'make another with --login',
  ],
  [JSON.stringify({ ...JSON.parse(credential), client_secret: 'x' }), 'Client id and secret'],
  [JSON.stringify({ ...JSON.parse(credential), login_customer_id: 'x' }), 'login_customer_id'],
  [JSON.stringify({ client_email: 'a@b.example', private_key: 'x' }), 'cannot be read'],
])('%s is no credential: %s', async (text, message) => {
  all = await opened({ text })
  await expect(facts()).rejects.toMatchObject({
    ...{ kind: 'credential', message: expect.stringContaining(message) },
  })
})

test('an empty developer token is not sent', async () => {
  all = await opened({ text: JSON.stringify({ ...JSON.parse(credential), developer_token: '' }) })
  expect(await facts()).toMatchObject({ status: 'active' })
})
