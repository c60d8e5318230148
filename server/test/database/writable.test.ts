import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate, readMigrations } from '../../src/database/upkeep/migrate.ts'
import { type FreshDatabase, freshDatabase } from '../support/machines/fresh-database.ts'

let database: FreshDatabase
let dir: string

beforeEach(async () => {
  database = await freshDatabase()
  dir = await mkdtemp(join(tmpdir(), 'flightdeck-migrations-'))
  for (const { name, sql } of await readMigrations()) {
    if (name.endsWith('_what_rows_may_hold')) break
    await writeFile(join(dir, `${name}.sql`), sql)
  }
  await migrate(database.address, dir)
})
afterEach(async () => {
  await database.drop()
  await rm(dir, { recursive: true, force: true })
})

const insert = (table: string, row: object) => {
  const stamps = {
    organization_id: 'org_1',
    version: 1,
    created_at: '2026-01-01',
    updated_at: '2026-01-01',
  }
  const whole = { ...stamps, name_folded: '', labels: [], metadata: {}, ...row }
  return database.query(
    `insert into ${table} (${Object.keys(whole)}) select ${Object.keys(whole)}
     from jsonb_populate_record(null::${table}, $1)`,
    [JSON.stringify(whole)],
  )
}

const profile = { name: 'P', platform: 'meta', time_zone: 'UTC', status: 'active' }
const campaign = {
  name: 'C',
  objective: 'sales',
  profile_id: 'pro_0',
  status: 'draft',
  daily_budget_minor: 1,
  currency: 'USD',
  currency_exponent: 2,
  time_zone: 'UTC',
}
const proxy = {
  name: 'X',
  protocol: 'http',
  host: 'h',
  port: 1,
  enabled: true,
  next_check_at: '2026-01-01',
  health: 'unchecked',
  consecutive_failures: 0,
  consecutive_successes: 0,
}
const template = { name: 'T', defaults: {}, locked_fields: [] }

const long = (length: number) => 'x'.repeat(length)

/** Each has been stored by a refresh without checks, or could have been. */
const rubbish: { [field: string]: unknown; labels?: unknown[] }[] = [
  { name: '' },
  { name: long(5_000) },
  { name: 'a\r\nX: 1\u001b[31m' },
  { external_id: long(2_000) },
  { external_id: '' },
  { labels: [null] },
  { labels: ['', 'a', 'a', long(500)] },
  { labels: Array.from({ length: 900 }, (_, at) => `l${at}`) },
  { metadata: false },
  { metadata: 'str' },
  { metadata: [1, 2] },
  { metadata: { a: { b: 'c' }, kept: 'yes', n: 1 } },
  { metadata: { a: long(300_000) } },
  { metadata: { [long(5_000)]: 'a', '': 'b' } },
]

test('what no schema allows is put right by the migration, and refused after it', async () => {
  await database.query(
    `insert into organizations select * from jsonb_populate_record(null::organizations, $1)`,
    [JSON.stringify(organization)],
  )
  await insert('profiles', { ...profile, id: 'pro_0' })
  const tables = { campaigns: campaign, profiles: profile, proxies: proxy, templates: template }
  for (const [table, row] of Object.entries(tables)) {
    for (const [at, one] of rubbish.entries()) {
      await insert(table, {
        ...row,
        id: `${table}_${at}`,
        ...(table === 'templates' && { name: `T${at}` }),
        ...one,
      })
    }
  }
  const more = { client: '', country: 'ZZZ', account_ref: long(1_000), credential_ref: long(400) }
  await insert('profiles', { ...profile, id: 'pro_1', ...more, notes: long(50_000) })
  await insert('templates', { ...template, id: 'tpl_1', name: 'U', defaults: 'x' })
  await insert('templates', { ...template, id: 'tpl_2', name: `${long(255)}a`, defaults: { a: 1 } })
  await insert('templates', { ...template, id: 'tpl_3', name: `${long(255)}b` })
  await insert('campaigns', { ...campaign, id: 'cmp_1', metadata: { a: 'b' }, labels: ['z', 'a'] })

  await migrate(database.address)

  const [kept] = await database.query(
    `select name, labels, metadata, version from campaigns where id = 'cmp_1'`,
  )
  expect(kept).toEqual({ name: 'C', labels: ['z', 'a'], metadata: { a: 'b' }, version: 1 })
  const names = await database.query(
    `select name from campaigns where id like 'campaigns\\__' order by id`,
  )
  expect(names.slice(0, 3)).toEqual([
    { name: 'campaigns_0' },
    { name: long(255) },
    { name: 'aX: 1[31m' },
  ])
  const [mixed] = await database.query(`select metadata from profiles where id = 'profiles_11'`)
  expect(mixed).toEqual({ metadata: { kept: 'yes' } })
  const [put] = await database.query(`select client_id as client, country, account_ref,
    length(credential_ref) as ref, length(notes) as notes from profiles where id = 'pro_1'`)
  expect(put).toEqual({ client: null, country: null, account_ref: null, ref: 255, notes: 2000 })
  for (const [table, row] of Object.entries(tables)) {
    for (const one of rubbish.filter((each) => each.labels?.[0] !== '')) {
      await expect(insert(table, { ...row, id: 'new', ...one })).rejects.toThrow(/check constraint/)
    }
  }
})

const organization = {
  id: 'org_1',
  name: 'O',
  plan: 'free',
  status: 'active',
  require_if_match: false,
  version: 1,
  created_at: '2026-01-01',
  updated_at: '2026-01-01',
  sandbox: false,
  clock_ahead_ms: 0,
}
