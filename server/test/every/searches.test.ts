import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { type FreshDatabase, freshDatabase, migratedDatabase } from '../support/fresh-database.ts'
import { openWorld, type TestOrganization, unlimited, type World } from '../support/world.ts'
import { campaignBody, made, profileOf } from '../support/writes.ts'

/** A database whose collation knows ASCII letters only, as is common outside the embedded one. */
async function plainDatabase(): Promise<FreshDatabase> {
  const database = await freshDatabase(`template0 locale_provider libc locale 'C'`)
  await migrate(database.address)
  return database
}

const makers: Record<string, (organization: TestOrganization, name: string) => Promise<string>> = {
  campaigns: async (organization, name) => {
    const profile = await profileOf(organization)
    return made(organization.owner, '/campaigns', { ...campaignBody(profile), name })
  },
  profiles: (organization, name) => profileOf(organization, { name }),
  proxies: ({ owner }, name) =>
    made(owner, '/proxies', { name, protocol: 'http', host: 'a.test', port: 8080 }),
  templates: ({ owner }, name) => made(owner, '/templates', { name }),
  api_keys: ({ owner }, name) => made(owner, '/api_keys', { name, role: 'viewer' }),
  members: ({ owner }, name) =>
    made(owner, '/members', { name, email: `${crypto.randomUUID()}@a.test`, role: 'viewer' }),
}

const names = ['ÄRZTE & Bäcker', 'Ångström', 'ΟΔΥΣΣΕΥΣ', 'Москва', 'Straße 5*', '広告 [1-9] \\d^']

describe.each([
  ['the embedded database', migratedDatabase],
  ['one with the locale C', plainDatabase],
])('in %s', (_, open) => {
  let [world, database]: [World?, FreshDatabase?] = []
  let organization: TestOrganization

  beforeAll(async () => {
    database = await open()
    world = await openWorld({ address: database.address, env: unlimited })
    organization = await world.organization()
    for (const name of names) await made(organization.owner, '/templates', { name })
  })
  afterAll(async () => {
    await world?.close()
    await database?.drop()
  })

  const found = async (list: string, text: string) => {
    const reply = await organization.owner.get(`/${list}?q=${encodeURIComponent(text)}`)
    expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
    return reply.json().data
  }

  test.each(Object.entries(makers))('%s are found regardless of case', async (list, make) => {
    const id = await make(organization, 'ÄRZTE in Ægir')
    for (const text of ['ärzte', 'Ärzte', 'ÄRZTE IN ÆGIR', 'Rzte In æ', 'IN']) {
      const ids = (await found(list, text)).map((each: { id: string }) => each.id)
      expect([text, ids]).toEqual([text, expect.arrayContaining([id])])
    }
    expect(await found(list, 'arzte')).toEqual([])
    expect(await found(list, 'ä%e')).toEqual([])
  })

  test.each([
    ['bÄCK', [0]],
    ['e & bä', [0]],
    ['ång', [1]],
    ['οδυσσευς', [2]],
    ['σευσ', [2]],
    ['МОСК', [3]],
    ['straße 5*', [4]],
    ['STRAẞE', [4]],
    ['ße 5*', [4]],
    ['ße 5', [4]],
    ['ße .', []],
    ['ß|ä', []],
    ['広告 [1-9] \\D^', [5]],
    ['広告 1', []],
    ['告 [', [5]],
    ['***:ä', []],
    ['(?i)ä', []],
  ])('%s are compared exactly', async (text, expected) => {
    const shown = (await found('templates', text)).map(({ name }: { name: string }) => name)
    expect(shown).toEqual(expected.map((at) => names[at]))
  })

  test.each(Object.entries(makers))('%s sort by name regardless of case', async (list, make) => {
    const rows = ['zebra', 'ÄPFEL', 'Žižka', 'Zebra 2', 'äpfel 2', 'ОБУВЬ', 'обувь 2', 'ŽIŽKA 2']
    const ids: string[] = []
    for (const name of rows) ids.push(await make(organization, `sorted ${name}`))
    const reply = await organization.owner.get(`/${list}?q=sorted&sort=name`)
    const shown = reply.json().data.map(({ name }: { name: string }) => name.slice(7))
    const expected = [
      'zebra',
      'Zebra 2',
      'ÄPFEL',
      'äpfel 2',
      'Žižka',
      'ŽIŽKA 2',
      'ОБУВЬ',
      'обувь 2',
    ]
    expect(shown).toEqual(expected)
    await organization.owner.patch(`/${list}/${ids[0]}`, { name: 'SORTED ŻUBR' })
    const renamed = (await organization.owner.get(`/${list}?q=sorted&sort=-name`)).json().data
    if (list !== 'api_keys') expect(renamed[4].id).toBe(ids[0])
  })

  test('audit records and their export are searched the same way', async () => {
    const id = await made(organization.owner, '/templates', { name: 'ÖLWECHSEL' })
    const records = await found('audit_logs', 'ölwechsel')
    expect(records).toMatchObject([{ resource: { id } }])
    const path = `/audit_logs/export?format=csv&q=${encodeURIComponent('Öl')}`
    expect((await organization.owner.get(path)).body).toContain(id)
    expect(await found('audit_logs', 'olw')).toEqual([])
  })
})
