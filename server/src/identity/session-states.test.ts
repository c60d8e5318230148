import { afterAll, beforeAll, expect, test } from 'vitest'
import { citusAddress } from '../../test/support/machines/citus.ts'
import { openWorld, type World } from '../../test/support/world.ts'
import { readState, readStates, stateSql, statesSql } from './session-states.ts'
import type { Claims } from './tokens.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('a batch reads many sessions like single reads, without ended ones', async () => {
  const { reader } = world.services.database
  const clients = await Promise.all(
    [1, 2].map(async () => {
      const organization = await world.organization()
      return [organization.owner, await organization.as('viewer')]
    }),
  )
  const claims = await Promise.all(
    clients.flat().map(({ token }) => world.services.identity.tokens.verify(String(token))),
  )
  const [first, second, third] = claims as [Claims, Claims, Claims]
  const gone = { ...first, sessionId: second.sessionId.replace(/.$/, '!') }
  const elsewhere = { ...first, organizationId: third.organizationId }
  const alone = await Promise.all(claims.map((each) => readState(reader, each)))
  expect(alone.map((state) => state?.id)).toEqual(claims.map(({ sessionId }) => sessionId))
  const states = await readStates(reader, [gone, ...claims, elsewhere])
  const databaseAheadMs = expect.closeTo(Number(alone[0]?.databaseAheadMs), -4)
  expect(states).toEqual(alone.map((state) => ({ ...state, databaseAheadMs })))
  for (const none of [gone, elsewhere]) expect(await readState(reader, none)).toBeUndefined()
})

test.skipIf(citusAddress())('one or many sessions are read by primary keys', async () => {
  const keys = ['sessions_pkey', 'users_pkey', 'organizations_pkey']
  const ids = Array.from({ length: 200 }, (_, at) => `ses_${at}`)
  expect(await scansOf(stateSql, ['org_1', 'ses_1'])).toEqual(keys)
  expect(await scansOf(statesSql, [ids, ids])).toEqual(keys)
})

/** The indexes, or tables, that a statement reads. */
async function scansOf(sql: string, parameters: unknown[]): Promise<(string | undefined)[]> {
  const explained = { sql: `explain ${sql}`, parameters }
  const lines = await world.services.database.reader.query<{ 'QUERY PLAN': string }>(explained)
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
  const scans = plan.matchAll(/(?:Index|Heap|Seq) Scan (?:using|on) (\w+)/g)
  return Array.from(scans, ([, name]) => name)
}
