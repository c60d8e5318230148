import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/database/upkeep/migrate.ts'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import {
  type FreshDatabase,
  freshDatabase,
  migratedDatabase,
} from '../support/machines/fresh-database.ts'
import { openWorld, type TestOrganization, unlimited, type World } from '../support/world.ts'

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
  clients: ({ owner }, name) => made(owner, '/clients', { name }),
  proxies: ({ owner }, name) =>
    made(owner, '/proxies', { name, protocol: 'http', host: 'a.test', port: 8080 }),
  templates: ({ owner }, name) => made(owner, '/templates', { name }),
  api_keys: ({ owner }, name) => made(owner, '/api_keys', { name, role: 'viewer' }),
  members: ({ owner }, name) =>
    made(owner, '/members', { name, email: `${crypto.randomUUID()}@a.test`, role: 'viewer' }),
}

const idsIn = (rows: { id: string }[]) => rows.map(({ id }) => id)

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

  /** The rows that have the words, not those that have similar ones. */
  const found = async (list: string, text: string) => {
    const reply = await organization.owner.get(`/${list}?q=${encodeURIComponent(text)}`)
    expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
    const { data, meta } = reply.json()
    return meta.search === 'similar' ? [] : data
  }

  test.each(Object.entries(makers))('%s are found by words in any order', async (list, make) => {
    const id = await make(organization, 'ÄRZTE in Ægir – Straße')
    const texts = ['ärzte', 'Ärzte', 'ÄRZTE IN ÆGIR', 'Rzte In æ', 'in', 'arzte', 'A\u0308RZTE']
    for (const text of [...texts, 'strasse ARZT', 'straße arzt', 'STRAẞE – ægir', ' \u3000 gir '])
      expect([text, idsIn(await found(list, text))]).toEqual([text, expect.arrayContaining([id])])
    for (const text of ['arzte ägi', 'ä%e', 'ärzte nowhere', 'arzteægir'])
      expect([text, idsIn(await found(list, text))]).not.toEqual([
        text,
        expect.arrayContaining([id]),
      ])
    if (list === 'api_keys') return
    await organization.owner.patch(`/${list}/${id}`, { name: 'Plain' })
    expect(idsIn(await found(list, 'arzte'))).not.toContain(id)
    expect(idsIn(await found(list, 'PLÁIN'))).toContain(id)
  })

  test.each([
    ['bÄCK', [0]],
    ['bä & e', [0]],
    ['bäckeR ARZ', [0]],
    ['ang', [1]],
    ['ångstrom', [1]],
    ['οδυσσευς', [2]],
    ['σευσ', [2]],
    ['ΰς', [2]],
    ['МОСК', [3]],
    ['straße 5*', [4]],
    ['STRASSE', [4]],
    ['5* ße', [4]],
    ['ße 5', [4]],
    ['ße .', []],
    ['ß|ä', []],
    ['広告 [1-9] \\D^', [5]],
    ['広告 1', [5]],
    ['広告 7', []],
    ['[ 告', [5]],
    ['***:ä', []],
    ['(?i)ä', []],
  ])('%s are parts of words', async (text, expected) => {
    const shown = (await found('templates', text)).map(({ name }: { name: string }) => name)
    const own = shown.filter((name: string) => names.includes(name))
    expect(own).toEqual(expected.map((at) => names[at]))
  })

  test('objects are found by external ids, alone and with words of the name', async () => {
    const { owner } = organization
    const external_id = 'CRM-4711'
    const id = await made(owner, '/templates', { name: 'Herbst', external_id })
    for (const text of ['crm-47', '4711 herbst', 'HERBST crm'])
      expect([text, idsIn(await found('templates', text))]).toEqual([text, [id]])
    expect(await found('templates', 'crm-4711 frühling')).toEqual([])
  })

  test.each(Object.entries(makers))(
    '%s are found by an id, and by similar words',
    async (list, make) => {
      const id = await make(organization, 'Quetschkommode')
      for (const text of [id, id.slice(-8)])
        expect([text, idsIn(await found(list, text))]).toEqual([text, [id]])
      const reply = await organization.owner.get(`/${list}?q=quetshkomode&include_total=true`)
      expect(reply.json()).toMatchObject({ data: [{ id }], meta: { total: 1, search: 'similar' } })
    },
  )

  test('what one searches for has at most 255 characters and 20 different words', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')
    const get = (text: string) => organization.owner.get(`/templates?q=${encodeURIComponent(text)}`)
    expect((await get(words(20))).statusCode).toBe(200)
    expect((await get('a '.repeat(127))).statusCode).toBe(200)
    expect((await get('ﷺ'.repeat(255))).statusCode).toBe(200)
    const fault = { parameter: 'q', code: 'too_many_items', limit: 20 }
    expect((await get(words(21))).json()).toMatchObject({ status: 400, errors: [fault] })
    expect((await get('a'.repeat(256))).statusCode).toBe(400)
  })

  test('change sets and endpoints are searched the same way', async () => {
    const { owner } = organization
    const profile = await profileOf(organization, { name: 'Sets' })
    const campaign = await made(owner, '/campaigns', { ...campaignBody(profile), name: 'A' })
    const operations = [{ op: 'update', id: campaign, body: { notes: 'x' } }]
    const set = await made(owner, '/change_sets', { title: 'Größere Büdgets für Köln', operations })
    for (const text of ['koln groß', 'GRÖSSERE', 'budgets fur', 'größere'])
      expect([text, idsIn(await found('change_sets', text))]).toEqual([text, [set]])
    expect(await found('change_sets', 'koln berlin')).toEqual([])
    const url = 'https://example.com/Orders/new'
    const endpoint = await made(owner, '/webhook_endpoints', { url })
    expect(idsIn(await found('webhook_endpoints', 'orders example'))).toEqual([endpoint])
    const similar = (await owner.get('/change_sets?q=budgts')).json()
    expect(similar).toMatchObject({ data: [{ id: set }], meta: { search: 'similar' } })
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
    expect((await organization.owner.get('/audit_logs?q=olwexel')).json().data).toEqual([])
    for (const text of ['ölwechsel', 'OLW', 'wechsel ol'])
      expect(await found('audit_logs', text)).toMatchObject([{ resource: { id } }])
    const path = `/audit_logs/export?format=csv&q=${encodeURIComponent('Öl')}`
    expect((await organization.owner.get(path)).body).toContain(id)
    expect(await found('audit_logs', 'ölw nowhere')).toEqual([])
  })
})
