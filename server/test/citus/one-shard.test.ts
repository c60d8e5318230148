import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Method, methodsOf } from '../../src/http/endpoint.ts'
import type { Route } from '../../src/http/request/path-ids.ts'
import { caseOf, exampleBody } from '../support/cases/example-cases.ts'
import { pathWith } from '../support/cases/write-cases.ts'
import { giveMail } from '../support/client-cases.ts'
import { openToLocal } from '../support/delivering.ts'
import { endpoints } from '../support/documented.ts'
import { urlOnCitus } from '../support/machines/citus.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { clientOf, openWorld, type Reply, type World } from '../support/world.ts'

/** Arranges what the requests are about. */
let world: OwnWorld
/** The same database, where a statement for several shards is refused. */
let strict: World

const refused = encodeURIComponent('-c citus.multi_task_query_log_level=error')

beforeAll(async () => {
  world = await openOwnWorld({ env: openToLocal })
  strict = await openWorld({
    env: openToLocal,
    clock: world.clock,
    address: { connectionString: `${urlOnCitus(world.database.address)}?options=${refused}` },
  })
  giveMail(strict.services)
})
afterAll(async () => {
  await strict.close()
  await world.close()
})

async function replyTo(route: Route, method: Method): Promise<Reply> {
  const organization = await world.organization({ plan: 'captain' })
  const { arrange, body, headers, anonymous, as, query, queryFor } = caseOf(world, route, method)
  const ids = (await arrange?.(organization)) ?? ''
  const payload = body?.(ids, organization) ?? (await exampleBody(organization, route, ids))
  const client = (await as?.(organization)) ?? organization.owner
  return clientOf(strict.app, anonymous ? world.anonymous : client).call({
    method,
    url: `${pathWith(route.path, ids)}?${queryFor?.(organization) ?? query ?? ''}`,
    headers: { ...headers },
    ...(payload && method !== 'GET' && { payload }),
  })
}

/** A link that works once, a challenge of a login and a passkey have a secret alone, and name no organization: rare, and one index on each shard. */
const ofSeveralShards = [
  ...['/invitations/accept', '/auth/password/reset', '/auth/login/verify'],
  ...['/auth/passkey/options', '/auth/passkey/verify'],
]

/** A stream does not end; its first read is that of the list of events. */
const operations = endpoints
  .filter(({ path }) => !path.endsWith('/stream') && !ofSeveralShards.includes(path))
  .flatMap((route) =>
    methodsOf(route).map((method) => ({ name: `${method} ${route.path}`, route, method })),
  )

test('a statement for several shards is refused here', async () => {
  const all = strict.services.database.reader.query({
    sql: 'select id from campaigns',
    parameters: [],
  })
  await expect(all).rejects.toThrow('multi-task query')
})

// One that has to ask several shards is to be named above, with its reason.
test.each(operations)('$name asks one shard', async ({ route, method }) => {
  const reply = await replyTo(route, method)
  expect(reply.statusCode, reply.body).toBeLessThan(300)
})
