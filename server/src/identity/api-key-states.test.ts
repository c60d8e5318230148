import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeKey } from '../../test/support/api-keys.ts'
import { citusAddress } from '../../test/support/machines/citus.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import {
  apiKeyStateSql,
  apiKeyStatesSql,
  readApiKeyState,
  readApiKeyStates,
} from './api-key-states.ts'
import { type ApiKeyClaims, newApiKey, readApiKey } from './api-key-text.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const claimsOf = (key: string): ApiKeyClaims => {
  const claims = readApiKey(key)
  if (!claims) throw new Error(`${key} is no key`)
  return claims
}

test('a batch reads many keys like single reads, without missing ones', async () => {
  const { reader } = world.services.database
  const [acme, other] = [await world.organization(), await world.organization()]
  const made = [
    await madeKey(world, acme.owner),
    await madeKey(world, acme.owner),
    await madeKey(world, other.owner),
  ]
  const claims = made.map(({ key }) => claimsOf(key))
  const gone = claimsOf(newApiKey(acme.id))
  const elsewhere = { ...gone, hash: claims[2]?.hash ?? '' }
  const alone = await Promise.all(claims.map((each) => readApiKeyState(reader, each)))
  expect(alone.map((state) => state?.id)).toEqual(made.map(({ id }) => id))
  expect(await readApiKeyStates(reader, [gone, ...claims, elsewhere])).toEqual(alone)
  for (const none of [gone, elsewhere]) {
    expect(await readApiKeyState(reader, none)).toBeUndefined()
  }
})

test.skipIf(citusAddress())(
  'one or many keys are read by indexes that start with the organization',
  async () => {
    const indexes = ['api_keys_hash_key', 'users_pkey', 'organizations_pkey']
    const many = Array.from({ length: 200 }, (_, at) => `org_${at}`)
    expect(await scansOf(apiKeyStateSql, ['org_1', 'f00d'])).toEqual(indexes)
    expect(await scansOf(apiKeyStatesSql, [many, many])).toEqual(indexes)
  },
)

/** The indexes, or tables, that a statement reads. */
async function scansOf(sql: string, parameters: unknown[]): Promise<(string | undefined)[]> {
  const explained = { sql: `explain ${sql}`, parameters }
  const lines = await world.services.database.reader.query<{ 'QUERY PLAN': string }>(explained)
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
  const scans = plan.matchAll(/(?:Index|Heap|Seq) Scan (?:using|on) (\w+)/g)
  return Array.from(scans, ([, name]) => name)
}

test('two keys have nothing in common except their organization', () => {
  const id = 'org_01m7yez275fk1a52pr5qevn8kn'
  const keys = Array.from({ length: 1_000 }, () => newApiKey(id))
  expect(new Set(keys).size).toBe(1_000)
  expect(new Set(keys.map((key) => key.slice(0, 31)))).toEqual(
    new Set(['fdk_01m7yez275fk1a52pr5qevn8kn_']),
  )
  const used = new Set(keys.flatMap((key) => [...key.slice(31)]))
  expect(used.size).toBe(62)
})

test.each(['', 'fdk_', 'fdk_x', `${newApiKey('org_01m7yez275fk1a52pr5qevn8kn')}0`])(
  '"%s" is not a key',
  (text) => {
    expect(readApiKey(text)).toBeUndefined()
  },
)
