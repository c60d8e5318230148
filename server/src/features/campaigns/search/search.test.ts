import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyRowByIndex } from '../../../../test/support/by-index.ts'
import { campaignBody, made, profileOf } from '../../../../test/support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../../../../test/support/own-world.ts'
import {
  type Client,
  clientOf,
  openWorld,
  type TestOrganization,
  unlimited,
} from '../../../../test/support/world.ts'
import { keepSearch } from './due.ts'

let world: OwnWorld
let organization: TestOrganization
let profile: string
/** Reads as organizations with many campaigns are read. */
let owner: Client

beforeAll(async () => {
  world = await openOwnWorld({
    env: unlimited,
    alter: (services) => ({
      ...services,
      limits: { ...services.limits, largeLists: everyRowByIndex },
    }),
  })
  organization = await world.organization()
  owner = organization.owner
  profile = await profileOf(organization, { name: 'Baltics Search', client: 'Röstwerk Riga' })
  for (const name of ['Grinder – Öl', 'Espresso 500', 'Kettle', 'Filter 49', 'Scale'])
    await made(owner, '/campaigns', { ...campaignBody(profile), name })
})
afterAll(() => world.close())

const stateSql = 'select * from campaign_search_states where organization_id = $1'

const stateOf = async () => (await world.database.query(stateSql, [organization.id]))[0]

const begin = () =>
  world.database.query(
    `insert into campaign_search_states
     select organization_id, event_sequence, '' from organization_heads where organization_id = $1`,
    [organization.id],
  )

/** Brings the index to where the background would. */
const keep = () => keepSearch(world.services, AbortSignal.timeout(10_000))

const found = async (q: string, more = ''): Promise<string[]> => {
  const reply = await owner.get(`/campaigns?q=${encodeURIComponent(q)}${more}`)
  expect([reply.statusCode, reply.body]).toEqual([200, reply.body])
  return reply.json().data.map(({ name }: { name: string }) => name)
}

const make = (name: string, more: object = {}) =>
  made(owner, '/campaigns', { ...campaignBody(profile), name, ...more })

/** Whether the index, and not a scan of all rows, has found it: rows that it lacks are not found. */
const removeFromIndex = (id: string) =>
  world.database.query('delete from campaign_search where organization_id = $1 and id = $2', [
    organization.id,
    id,
  ])

describe('campaigns are found by parts of words', () => {
  const searches: [string, string[]][] = [
    ['baltics grind', ['Grinder – Öl']],
    ['GRIND baltics', ['Grinder – Öl']],
    ['grinder search balt', ['Grinder – Öl']],
    ['BALTICS SEARCH', ['Scale', 'Filter 49', 'Kettle', 'Espresso 500', 'Grinder – Öl']],
    ['rostwerk presso', ['Espresso 500']],
    ['ol', ['Grinder – Öl']],
    ['ÖL', ['Grinder – Öl']],
    ['4', ['Filter 49']],
    ['49', ['Filter 49']],
    ['ett', ['Kettle']],
    ['%', []],
    ['kettle grinder', []],
  ]

  test.each(searches)('%s, before there is an index', async (q, expected) => {
    expect(await stateOf()).toBeUndefined()
    expect(await found(q)).toEqual(expected)
  })

  test('and by the same in an index', async () => {
    await begin()
    expect(await found('kettle')).toEqual(['Kettle'])
    await keep()
    expect(await stateOf()).toMatchObject({ built_to: null })
    for (const [q, expected] of searches) expect([q, await found(q)]).toEqual([q, expected])
    expect(await found('riga', '&sort=name&limit=100')).toHaveLength(5)
    const total = await owner.get('/campaigns?q=rost+e&include_total=true&limit=1')
    expect(total.json().meta).toMatchObject({ total: 5, has_more: true })
  })
})

describe('a search sees at once', () => {
  test('what is made, renamed and deleted, before the index follows', async () => {
    const id = await make('Moka pot')
    expect(await found('moka')).toEqual(['Moka pot'])
    await keep()
    expect(await found('moka')).toEqual(['Moka pot'])
    await owner.patch(`/campaigns/${id}`, { name: 'Cezve' })
    expect([await found('moka'), await found('cezve')]).toEqual([[], ['Cezve']])
    await keep()
    expect([await found('moka'), await found('cezve')]).toEqual([[], ['Cezve']])
    await owner.delete(`/campaigns/${id}`)
    expect(await found('cezve')).toEqual([])
    await keep()
    expect(await found('cezve')).toEqual([])
  })

  test('the new name of a profile, and of its client', async () => {
    const other = await profileOf(organization, { name: 'Nordics', client: 'Kaffe AB' })
    await made(owner, '/campaigns', { ...campaignBody(other), name: 'Tamper' })
    await keep()
    expect(await found('nordics tamp')).toEqual(['Tamper'])
    await owner.patch(`/profiles/${other}`, { name: 'Benelux' })
    expect([await found('nordics'), await found('benelux')]).toEqual([[], ['Tamper']])
    const [client] = (await owner.get('/clients?q=kaffe')).json().data ?? []
    await owner.patch(`/clients/${client.id}`, { name: 'Koffie NV' })
    expect([await found('kaffe'), await found('koffie tamper')]).toEqual([[], ['Tamper']])
  })

  test('a draft that goes to another profile', async () => {
    const other = await profileOf(organization, { name: 'Iberia' })
    const id = await make('Burr')
    await keep()
    await owner.patch(`/campaigns/${id}`, { profile_id: other })
    expect(await found('iberia')).toEqual(['Burr'])
    await keep()
    expect([await found('iberia'), await found('balt burr')]).toEqual([['Burr'], []])
  })
})

test('an id is found by six characters or more of it, and an external id by any part', async () => {
  const id = await make('Dripper', { external_id: 'CRM-Ä-4711' })
  await keep()
  for (const q of [id, id.slice(4), id.slice(-6), id.toUpperCase(), 'crm', 'a-47', '4711 drip'])
    expect([q, await found(q)]).toEqual([q, ['Dripper']])
  expect(await found(id.slice(-5))).toEqual([])
})

test('the index is what finds', async () => {
  const id = await make('Whisk')
  await keep()
  await removeFromIndex(id)
  expect(await found('whisk')).toEqual([])
  await owner.patch(`/campaigns/${id}`, { notes: 'again' })
  await keep()
  expect(await found('whisk')).toEqual(['Whisk'])
})

test('an index that has missed events is made anew', async () => {
  await make('Siphon')
  await world.database.query('delete from campaign_search_states where organization_id = $1', [
    organization.id,
  ])
  expect(await found('siphon')).toEqual(['Siphon'])
  await world.database.query(`insert into campaign_search_states values ($1, 1, null)`, [
    organization.id,
  ])
  await world.database.query('delete from events where organization_id = $1 and sequence = 2', [
    organization.id,
  ])
  await keep()
  expect(await stateOf()).toBeUndefined()
  expect(await found('siphon')).toEqual(['Siphon'])
})

describe('where nothing has the words', () => {
  const read = async (search: string) => (await owner.get(`/campaigns?${search}`)).json()
  const namesIn = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name)

  const forget = () =>
    world.database.query('delete from campaign_search_states where organization_id = $1', [
      organization.id,
    ])

  beforeAll(async () => {
    for (const name of ['Cold brew north', 'Cold brew south', 'Cold brew east'])
      await make(name, { external_id: name.slice(-5) })
    await forget()
    await begin()
    await keep()
  })

  test.each([
    ['espreso', ['Espresso 500']],
    ['espreso 500', ['Espresso 500']],
    ['baltcs grnder', ['Grinder – Öl']],
    ['rostwrk kettl', ['Kettle']],
  ])('%s finds the nearest', async (q, expected) => {
    const page = await read(`q=${q.replaceAll(' ', '+')}&include_total=true`)
    expect([namesIn(page), page.meta]).toMatchObject([
      expected,
      { search: 'similar', total: expected.length },
    ])
  })

  test('and where something has them, it is not said to be similar', async () => {
    expect((await read('q=espresso')).meta).not.toHaveProperty('search')
    expect((await read('')).meta).not.toHaveProperty('search')
  })

  test('nothing near is found for what is like nothing, for numbers and for many words', async () => {
    for (const q of ['zqxv', 'espreso+zqxv', '4999', 'kettle+brew', 'expreso+a+b+c+d+e']) {
      const { data, meta } = await read(`q=${q}&include_total=true`)
      expect([q, data, meta]).toEqual([q, [], { next_cursor: null, has_more: false, total: 0 }])
    }
  })

  test('a walk of the nearest goes on as it began, with filters and an order', async () => {
    const first = await read('q=cold+breww&limit=2&sort=name&status=draft')
    expect(namesIn(first)).toEqual(['Cold brew east', 'Cold brew north'])
    expect(first.meta).toMatchObject({ search: 'similar', has_more: true })
    await make('Breww')
    const last = await read(`cursor=${first.meta.next_cursor}&limit=2`)
    expect([namesIn(last), last.meta.search]).toEqual([['Cold brew south'], 'similar'])
    const exact = await read('q=breww')
    expect([namesIn(exact), exact.meta.search]).toEqual([['Breww'], undefined])
    expect(namesIn(await read('q=cold+breew&status=active'))).toEqual([])
  })

  test('an organization with few campaigns compares their names themselves', async () => {
    const few = await world.organization()
    const its = await profileOf(few, { name: 'Nordics' })
    await made(few.owner, '/campaigns', { ...campaignBody(its), name: 'Espresso' })
    const find = async (app: Client, path: string) => (await app.get(path)).json()
    const inFew = await openWorld({ address: world.database.address, env: unlimited })
    const reader = clientOf(inFew.app, few.owner)
    expect(await find(reader, '/campaigns?q=nordcs+espreso')).toMatchObject({
      data: [{ name: 'Espresso' }],
      meta: { search: 'similar' },
    })
    expect(await find(reader, '/profiles?q=nordcs')).toMatchObject({
      data: [{ name: 'Nordics' }],
      meta: { search: 'similar' },
    })
    await inFew.close()
  })
})

test('lists of what campaigns have are searched by their campaigns', async () => {
  const id = await make('Percolator')
  expect((await owner.post(`/campaigns/${id}/launch`)).statusCode).toBe(200)
  await made(owner, '/campaigns', { ...campaignBody(profile), name: 'Percolator draft' })
  const deployment = { mode: 'create', drift_policy: 'report' }
  const put = await owner.put(`/campaigns/${id}/deployment`, deployment)
  expect([put.statusCode, put.body]).toEqual([201, put.body])
  for (const again of [false, true]) {
    // Words of which the background has not heard are not yet near to others.
    for (const q of ['percol', 'balt+percolator', id, ...(again ? ['percolatr'] : [])]) {
      const pacing = (await owner.get(`/pacing?q=${q}`)).json().data
      expect([again, q, pacing]).toMatchObject([again, q, [{ campaign_id: id }]])
      const deployments = (await owner.get(`/deployments?q=${q}`)).json().data
      expect([again, q, deployments]).toMatchObject([again, q, [{ campaign_id: id }]])
    }
    expect((await owner.get('/pacing?q=percolator+draft')).json().data).toEqual([])
    await keep()
  }
})
