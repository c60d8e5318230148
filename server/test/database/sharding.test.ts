import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { placementOf } from '../../src/database/upkeep/citus/placements.ts'
import { methodsOf } from '../../src/http/endpoint.ts'
import { madeKey } from '../support/api-keys.ts'
import { fullOrganization } from '../support/cases/full-organization.ts'
import { pathWith, writes } from '../support/cases/write-cases.ts'
import { endpoints } from '../support/documented.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { recordSql } from '../support/sent-sql.ts'
import { type Client, clientOf, openWorld, unlimited, type World } from '../support/world.ts'

// Requirements of engines that shard tables by `organization_id`: docs/guides/scaling.md.

let world: OwnWorld
const env = unlimited

beforeAll(async () => {
  world = await openOwnWorld({ env })
})
afterAll(() => world.close())

/**
 * Tables that belong to no organization, or are read before the organization is known, with
 * reasons.
 */
const globalTables: Record<string, string> = {
  organizations: 'are the tenants themselves: distributed by their id',
  signing_keys: 'sign the tokens of all: copied to every machine',
  installation: 'is one row for the whole database',
  master_keys: 'is a row for each of at most two keys',
  task_successes: 'is a row for each task of the service',
  migrations: 'is about the schema',
  user_emails: 'finds the organization of an email address at login',
  passkey_owners: 'finds the user of a passkey at login',
  login_codes: 'are of no organization until a person of one confirms them',
  proved_domains: 'finds the organization of a domain at login: copied to every machine',
  rate_limits: 'are counters by a key of any kind: one row a statement',
  leases: 'say which process does what: a few rows, held for seconds',
  processes: 'are a row for each process',
  write_probes: 'is always empty',
}

const namesOf = async (sql: string): Promise<string[]> =>
  (await world.database.query<{ name: string }>(sql)).map(({ name }) => name)

const relations = (kinds: string) => `
  select c.relname::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in (${kinds}) and not c.relispartition`

const globalNames = Object.keys(globalTables).map((name) => `'${name}'`)
const withTenant = ` and c.relname not in (${globalNames}) and exists (
  select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id')`

describe('in the catalogue', () => {
  test('every table belongs to an organization, except the few listed here', async () => {
    const all = await namesOf(relations(`'r', 'p'`))
    const tenants = new Set(await namesOf(relations(`'r', 'p'`) + withTenant))
    expect(all.filter((name) => !tenants.has(name)).sort()).toEqual(
      Object.keys(globalTables).sort(),
    )
  })

  test('the organization is the first column of every primary and unique key', async () => {
    const others = await namesOf(`
      select i.relname::text as name
      from pg_index x
      join pg_class i on i.oid = x.indexrelid
      join pg_class c on c.oid = x.indrelid
      left join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0]
      where x.indisunique and c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace = 'public'::regnamespace ${withTenant}
        and a.attname is distinct from 'organization_id'`)
    expect(others).toEqual([])
  })

  test('every table of an organization has a primary key', async () => {
    const without = `${relations(`'r', 'p'`)} ${withTenant} and not exists (
      select from pg_index x where x.indrelid = c.oid and x.indisprimary)`
    expect(await namesOf(without)).toEqual([])
  })

  test('every foreign key stays within an organization', async () => {
    type Key = { name: string; table: string; column: string; target: string }
    const all = await world.database.query<Key>(`
      select o.conname::text as name, c.relname::text as table, a.attname::text as column,
        target.relname || '.' || b.attname as target
      from pg_constraint o
      join pg_class c on c.oid = o.conrelid and not c.relispartition
      join pg_class target on target.oid = o.confrelid
      join pg_attribute a on a.attrelid = o.conrelid and a.attnum = o.conkey[1]
      join pg_attribute b on b.attrelid = o.confrelid and b.attnum = o.confkey[1]
      where o.contype = 'f' and o.connamespace = 'public'::regnamespace`)
    // A copy of the master keys is on every machine.
    const within = all.filter(({ target }) => target !== 'master_keys.id')
    const keys = within.filter(({ table }) => !(table in globalTables))
    // It crosses shards, so it is dropped there: docs/guides/scaling.md.
    const others = within.filter((key) => !keys.includes(key)).map(({ name }) => name)
    expect(others).toEqual(['user_emails_user_fkey'])
    expect(keys.length).toBeGreaterThan(10)
    for (const { name, column, target } of keys) {
      expect([name, column]).toEqual([name, 'organization_id'])
      expect([name, target]).toEqual([
        name,
        target === 'organizations.id' ? target : expect.stringMatching(/\.organization_id$/),
      ])
    }
  })
})

test('every table has a placement on Citus, and the guide names those without an organization', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../docs/guides/scaling.md'), 'utf8')
  const tenants = await namesOf(relations(`'r', 'p'`) + withTenant)
  for (const name of tenants) {
    expect([name, placementOf(name)]).toEqual([name, { by: 'organization_id' }])
  }
  for (const name of Object.keys(globalTables)) {
    expect([name, placementOf(name)]).not.toEqual([name, null])
    expect([name, placementOf(name)]).not.toEqual([name, { by: 'organization_id' }])
    expect(guide).toContain(`\`${name}\``)
  }
})

/** Statements on organizations' tables that do not name one organization, with reasons. */
const exceptions: Record<string, RegExp> = {
  'when keys were last used is written together, beside the requests':
    /^with due as \( select .* from unnest\(\$1::text\[\], .* update api_keys k set last_used_at/,
  'credentials in use are read again together, each by its organization and key':
    /from unnest\(\$1::text\[\], \$2::text\[\]\) as asked \(tenant, key\) cross join lateral/,
}

const isException = (sql: string) => Object.values(exceptions).some((known) => known.test(sql))

/** How often the statement names one of these tables, other than to insert into it. */
const mentionsIn = (sql: string, tables: ReadonlySet<string>): number =>
  [...sql.matchAll(/\b(?:from|join|update|using) (?:only )?"?(\w+)"?/g)].filter(([, table = '']) =>
    tables.has(table),
  ).length

const comparisonsIn = (sql: string): number =>
  [...sql.matchAll(/\borganization_id"? = (?:\$\d|"?\w+"?\."?(?:organization_id|id)\b)/g)].length

/** The organization of the request's credential. */
const given = /organization_id"? = \$\d/

/**
 * Each table in the statement is restricted to the given organization, and so is each inserted row.
 */
function namesOrganization(sql: string, tables: ReadonlySet<string>): boolean {
  const [, inserted, columns = ''] = /^insert into "?(\w+)"? \(([^)]*)\)/.exec(sql) ?? []
  if (inserted && tables.has(inserted) && !columns.includes('organization_id')) return false
  const mentions = mentionsIn(sql, tables)
  return mentions === 0 || (given.test(sql) && mentions <= comparisonsIn(sql))
}

test('a statement without the organization is distinguished from one with it', () => {
  const tables = new Set(['events', 'campaigns'])
  for (const [sql, expected] of [
    ['select * from events where organization_id = $1 and id = $2', true],
    ['select * from events where id = $1', false],
    ['select "a" from "events" where "organization_id" = $1', true],
    ['select 1 from events e join campaigns c on c.id = e.id where e.organization_id = $1', false],
    ['insert into "events" ("organization_id", "id") values ($1, $2)', true],
    ['insert into "events" ("id") values ($1)', false],
    ['update "campaigns" set "name" = $1 where "id" = $2', false],
    ['delete from campaigns where organization_id <> $1', false],
    ['select * from events e join campaigns c on c.organization_id = e.organization_id', false],
  ] as const) {
    expect([sql, namesOrganization(sql, tables)]).toEqual([sql, expected])
  }
})

/** The path with the first id of its list for each parameter. */
async function filledPath(client: Client, path: string): Promise<string> {
  let filled = ''
  for (const segment of path.split('/').slice(1)) {
    if (!segment.startsWith(':')) filled += `/${segment}`
    else filled += `/${(await client.get(filled)).json().data[0].id}`
  }
  return filled
}

/** All answer 200, but a key may not read everything, and only a sandbox has a clock. */
async function readEverything(client: Client): Promise<void> {
  const reading = endpoints.filter((endpoint) => methodsOf(endpoint).includes('GET'))
  for (const { path } of reading) {
    const reply = await client.get(await filledPath(client, path))
    expect([path, reply.statusCode]).toEqual([path, expect.toBeOneOf([200, 403, 409])])
  }
  for (const list of ['campaigns', 'profiles', 'events', 'audit_logs']) {
    const reply = await client.get(`/${list}?limit=1&include_total=true`)
    if (reply.statusCode === 403) continue
    const { next_cursor } = reply.json().meta
    expect((await client.get(`/${list}?cursor=${next_cursor}`)).statusCode).toBe(200)
  }
}

async function writeEverything(world: World): Promise<void> {
  for (const [name, write] of Object.entries(writes)) {
    const organization = await world.organization()
    const ids = (await write.arrange?.(organization)) ?? ''
    const [method, path = ''] = name.split(' ')
    const payload = write.body?.(ids, organization)
    const client = write.anonymous ? world.anonymous : organization.owner
    const headers = { ...write.headers, 'idempotency-key': 'once' }
    const url = pathWith(path, ids)
    const send = () =>
      client.call({ method: method as 'GET', url, headers, ...(payload && { payload }) })
    expect([name, (await send()).statusCode < 300]).toEqual([name, true])
    await send()
  }
}

test('every statement of a request is restricted to one organization', {
  timeout: 120_000,
}, async () => {
  const { owner } = await fullOrganization(world)
  const { sent, stop } = recordSql()
  // A new replica prepares every statement again.
  const replica = await openWorld({ address: world.database.address, env })
  const client = clientOf(replica.app, owner)
  await readEverything(client)
  await readEverything((await madeKey(replica, client)).client)
  await writeEverything(replica)
  // Sessions in use are read again after 0.9 s.
  await vi.waitFor(async () => {
    await client.get('/organization')
    expect([...sent].some((sql) => sql.includes('from unnest($1::text[]'))).toBe(true)
  }, 20_000)
  await replica.close()
  stop()
  const tables = new Set(await namesOf(relations(`'r', 'p', 'v'`) + withTenant))
  const strange = [...sent].filter((sql) => !namesOrganization(sql, tables) && !isException(sql))
  expect(strange).toEqual([])
  expect(sent.size).toBeGreaterThan(100)
  for (const [reason, known] of Object.entries(exceptions)) {
    expect([reason, [...sent].some((sql) => known.test(sql))]).toEqual([reason, true])
  }
})

test('after these requests the directory has exactly the users that exist', async () => {
  const both = await world.database.query<{ inUsers: number; inBoth: number; entries: number }>(`
    select (select count(*)::int from users) as "inUsers",
      (select count(*)::int from user_emails) as entries,
      (select count(*)::int from users u join user_emails e
        on (e.organization_id, e.user_id, e.email) = (u.organization_id, u.id, u.email)) as "inBoth"`)
  const { inUsers, inBoth, entries } = both[0] ?? {}
  expect(inUsers).toBeGreaterThan(10)
  expect([inBoth, entries]).toEqual([inUsers, inUsers])
})
