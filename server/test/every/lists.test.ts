import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { watch } from '../support/documented.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../support/world.ts'

let world: World

beforeAll(async () => {
  const env = {
    ...unlimited,
    FLIGHTDECK_CAPS: 'webhook_endpoints=1000',
  }
  world = watch(await openWorld({ env }))
})
afterAll(() => world.close())

type Shown = { id: string; name: string; created_at: string; updated_at: string }

const nameOf = (at: number) => ['name', 'ÄRZTE', 'Name', 'ärzte', 'NAME', 'Z'][at % 6] ?? ''

/** Each list with a way to make its nth row; the clock stands still unless a test moves it. */
const lists: Record<string, (organization: TestOrganization) => Promise<(at: number) => object>> = {
  campaigns: async (organization) => {
    const body = campaignBody(await profileOf(organization))
    return (at) => ({ ...body, name: nameOf(at) })
  },
  profiles: async () => (at) => ({ name: nameOf(at) }),
  proxies: async () => (at) => ({
    protocol: 'http',
    host: 'a.test',
    port: 8080,
    name: nameOf(at),
  }),
  clients: async () => (at) => ({ name: `${nameOf(at)} ${at}` }),
  templates: async () => (at) => ({ name: `${nameOf(at)} ${at}` }),
  api_keys: async () => (at) => ({ name: nameOf(at), role: 'viewer' }),
  webhook_endpoints: async () => (at) => ({ url: `https://example.com/${at}` }),
}

const sortsOf = (list: string) =>
  list === 'webhook_endpoints' ? ['created_at', 'updated_at'] : ['created_at', 'updated_at', 'name']

const walks = Object.keys(lists).flatMap((list) =>
  sortsOf(list).flatMap((sort) => [
    { list, sort },
    { list, sort: `-${sort}` },
  ]),
)

/** All pages to the end, with a step between any two. */
async function walk(client: Client, path: string, between: () => Promise<void> = async () => {}) {
  const seen: Shown[] = []
  let url = path
  for (let pages = 0; url !== ''; pages += 1) {
    if (pages > 200) throw new Error('the walk has no end')
    const { data, meta } = (await client.get(url)).json()
    seen.push(...data)
    expect(meta.next_cursor === null).toBe(!meta.has_more)
    url = meta.has_more ? `${path.split('?', 1)[0]}?cursor=${meta.next_cursor}&limit=7` : ''
    await between()
  }
  return seen
}

const orderOf = (sort: string) => {
  const field = sort.replace('-', '') as keyof Shown
  const sign = sort.startsWith('-') ? -1 : 1
  const compare = (one: string, other: string) => Number(one > other) - Number(one < other)
  const keyOf = (row: Shown) => (field === 'name' ? row.name.toLowerCase() : row[field])
  return (one: Shown, other: Shown) =>
    sign * (compare(keyOf(one), keyOf(other)) || compare(one.id, other.id))
}

const twentySevenDays = 27 * 86_400_000

describe('paging returns every row that exists throughout exactly once, in order', () => {
  test.each(walks)('$list by $sort', async ({ list, sort }) => {
    const organization = await world.organization()
    const { owner } = organization
    const bodyOf = await lists[list]?.(organization)
    if (!bodyOf) throw new Error('no such list')
    const create = (at: number) => made(owner, `/${list}`, bodyOf(at))
    const first = await Promise.all(Array.from({ length: 24 }, (_, at) => create(at)))
    const doomed = first.filter((_, at) => at % 4 === 3)
    const living = first.filter((_, at) => at % 4 !== 3)
    let more = 100
    const seen = await walk(owner, `/${list}?sort=${sort}&limit=7`, async () => {
      const gone = doomed.pop()
      if (gone) await owner.delete(`/${list}/${gone}`)
      await create(more)
      more += 1
    })
    const ids = seen.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => living.includes(id)).sort()).toEqual(living.sort())
    expect(ids).toEqual([...seen].sort(orderOf(sort)).map(({ id }) => id))
  })
})

test('paging is independent of page size and starting row', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const made = async (name: string) => (await owner.post('/profiles', { name })).json()
  const rows: Shown[] = []
  for (let at = 0; at < 30; at += 1) {
    if (at % 5 === 0) world.clock.advance(1000)
    rows.push(await made(['b', 'B', 'a', 'ä', 'Z', '_', '10', '9'][at % 8] ?? ''))
  }
  const sorts = fc.constantFrom('name', '-name', 'created_at', '-created_at')
  const property = fc.asyncProperty(sorts, fc.integer({ min: 1, max: 40 }), async (sort, limit) => {
    const seen = await walk(owner, `/profiles?sort=${sort}&limit=${limit}`)
    expect(seen.map(({ id }) => id)).toEqual([...rows].sort(orderOf(sort)).map(({ id }) => id))
  })
  await fc.assert(property, { numRuns: 15, seed: 4711, endOnFailure: true })
})

describe('a page', () => {
  test('has 25 rows by default and at most 100', async () => {
    const { owner } = await world.organization()
    const names = Array.from({ length: 104 }, (_, at) => `T${at}`)
    await Promise.all(names.map((name) => owner.post('/templates', { name })))
    const count = async (query: string) =>
      (await owner.get(`/templates${query}`)).json().data.length
    expect(await count('')).toBe(25)
    expect(await count('?limit=1')).toBe(1)
    expect(await count('?limit=100')).toBe(100)
    expect(await count('?limit=5000')).toBe(100)
    const { meta } = (await owner.get('/templates?limit=104&include_total=true')).json()
    expect(meta).toMatchObject({ has_more: true, total: 104 })
    expect((await owner.get('/templates')).json().meta).not.toHaveProperty('total')
  })

  test('of an empty list has no cursor, and neither has the last page', async () => {
    const { owner } = await world.organization()
    const empty = await owner.get('/campaigns')
    expect(empty.json()).toEqual({ data: [], meta: { next_cursor: null, has_more: false } })
    expect(empty.headers).not.toHaveProperty('link')
    await made(owner, '/templates', { name: 'A' })
    const last = (await owner.get('/templates?limit=1')).json()
    expect(last.meta).toEqual({ next_cursor: null, has_more: false })
  })

  test('links to the next page, filters included', async () => {
    const { owner } = await world.organization()
    for (const name of ['Ab', 'Abc', 'B', 'Abcd']) await made(owner, '/templates', { name })
    let url = '/templates?q=ab&sort=name&limit=1'
    const names: string[] = []
    for (let pages = 0; url && pages < 9; pages += 1) {
      const reply = await owner.get(url)
      names.push(...reply.json().data.map(({ name }: Shown) => name))
      url = /^<([^>]+)>; rel="next"$/.exec(String(reply.headers.link))?.[1] ?? ''
    }
    expect(names).toEqual(['Ab', 'Abc', 'Abcd'])
  })
})

describe('a cursor', () => {
  async function threeTemplates() {
    const organization = await world.organization()
    const { owner } = organization
    for (const name of ['Aa', 'Ab', 'Ac']) await made(owner, '/templates', { name })
    const { meta } = (await owner.get('/templates?q=a&sort=name&limit=1')).json()
    return { organization, owner, cursor: meta.next_cursor as string }
  }

  test('alone keeps its filters and order', async () => {
    const { owner, cursor } = await threeTemplates()
    await made(owner, '/templates', { name: 'Bb' })
    const { data } = (await owner.get(`/templates?cursor=${cursor}`)).json()
    expect(data.map(({ name }: Shown) => name)).toEqual(['Ab', 'Ac'])
    const same = await owner.get(`/templates?cursor=${cursor}&q=a&sort=name&limit=1`)
    expect(same.json().data).toMatchObject([{ name: 'Ab' }])
  })

  test('keeps the values of a filter that was sent several times', async () => {
    const { owner } = await world.organization()
    const label = (name: string, labels: string[]) => ({ name, labels })
    for (const body of [label('A', ['a,b']), label('B', ['c']), label('C', ['a'])])
      await made(owner, '/templates', body)
    const search = 'label=a,b&label=c&sort=name&limit=1'
    const first = await owner.get(`/templates?${search}`)
    const cursor = first.json().meta.next_cursor
    expect(first.headers.link).toContain('label=a%2Cb&label=c&')
    for (const path of [`cursor=${cursor}`, `${search}&cursor=${cursor}`]) {
      const { data, meta } = (await owner.get(`/templates?${path}`)).json()
      expect([data, meta]).toMatchObject([[{ name: 'B' }], { has_more: false }])
    }
  })

  test('is refused with other filters or another order', async () => {
    const { owner, cursor } = await threeTemplates()
    for (const more of ['q=b', 'q=a&label=x', 'sort=-name', 'sort=created_at', 'label=x']) {
      const reply = await owner.get(`/templates?cursor=${cursor}&${more}`)
      expect([more, reply.statusCode, reply.json().code]).toEqual([more, 400, 'invalid_cursor'])
    }
  })

  test('is refused in another list, for another organization, and when altered', async () => {
    const { owner, cursor } = await threeTemplates()
    const stranger = (await world.organization()).owner
    const codeOf = async (client: Client, path: string) => (await client.get(path)).json().code
    expect(await codeOf(owner, `/campaigns?cursor=${cursor}`)).toBe('invalid_cursor')
    expect(await codeOf(stranger, `/templates?cursor=${cursor}`)).toBe('invalid_cursor')
    const another = (text: string) => (text === 'A' ? 'B' : 'A')
    for (let at = 0; at < cursor.length; at += 9) {
      const changed = cursor.slice(0, at) + another(cursor.charAt(at)) + cursor.slice(at + 1)
      expect(await codeOf(owner, `/templates?cursor=${changed}`)).toBe('invalid_cursor')
    }
    for (const damaged of [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`]) {
      expect(await codeOf(owner, `/templates?cursor=${damaged}`)).toBe('invalid_cursor')
    }
  })

  test('does not expire, and works for other users of the organization', async () => {
    const { organization, cursor } = await threeTemplates()
    world.clock.advance(twentySevenDays)
    const viewer = await organization.as('viewer')
    const { data } = (await viewer.get(`/templates?cursor=${cursor}`)).json()
    expect(data).toHaveLength(2)
  })

  test('works when its row has been deleted', async () => {
    const { owner, cursor } = await threeTemplates()
    const { data } = (await owner.get('/templates?q=Aa')).json()
    await owner.delete(`/templates/${data[0].id}`)
    const rest = (await owner.get(`/templates?cursor=${cursor}`)).json()
    expect(rest.data.map(({ name }: Shown) => name)).toEqual(['Ab', 'Ac'])
  })
})
