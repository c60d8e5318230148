import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWorld, type World } from '../../server/test/support/world.ts'
import { openProgress } from '../kit/src/account/progress.ts'
import { type Adapter, type Days, NetworkFault, type ResultRow } from '../kit/src/connect.ts'
import { simAdapter } from './adapter.ts'
import { type Connected, connect, deployed } from './test/connected.ts'

// The results of months ago, on request: all of them, once each, whenever the connector is ended.

let world: World
let address: string
let home: string
let all: Connected
let file: string
let asked: (Days & { ids: number })[]

beforeAll(async () => {
  world = await openWorld()
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
  home = await mkdtemp(join(tmpdir(), 'flightdeck-backfill-'))
})
afterAll(async () => {
  await world.close()
  await rm(home, { recursive: true })
})
beforeEach(async () => {
  all = await connect(world, address)
  file = join(home, `${crypto.randomUUID()}.json`)
  asked = []
})
afterEach(() => all.close())

const dayMs = 86_400_000
const today = () => Date.parse(new Date().toISOString().slice(0, 10))
const dayAt = (days: number) => new Date(today() - days * dayMs).toISOString().slice(0, 10)
const first = () => {
  const date = new Date(today())
  date.setUTCMonth(date.getUTCMonth() - 13)
  return date.toISOString().slice(0, 10)
}
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / dayMs

/** A network that has a figure of each day of the last two years. */
function adapter(fault: () => Error | null = () => null): Adapter {
  return {
    ...simAdapter({ url: all.network.url }),
    async *results(_, ids, days): AsyncIterable<ResultRow> {
      asked.push({ ...days, ids: ids.length })
      for (let date = days.from; date <= days.to; date = dayAfter(date))
        for (const id of ids) {
          const error = fault()
          if (error) throw error
          yield {
            ...{ id, date, spend_minor: 100, impressions: 10, clicks: 1, conversions: 0 },
            is_final: true,
          }
        }
    },
  }
}
const dayAfter = (date: string) => new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10)

const backfill = async (with_: Adapter = adapter(), months = 13) =>
  all.round({
    adapter: with_,
    backfill: { months, progress: await openProgress(file), stepMs: 60_000 },
  })

async function stored(id: string) {
  const query = `from=${dayAt(500)}&to=${dayAt(-1)}`
  const { data } = (await all.owner.get(`/campaigns/${id}/results?${query}`)).json()
  const days: { date: string; spend: number }[] = data
  return days
}

const wholeSpan = () => daysBetween(first(), dayAt(0)) + 1

test('are those of thirteen months, in steps, and only once', async () => {
  const id = await deployed(all)
  await all.round()
  expect((await backfill()).faults).toEqual([])
  const days = await stored(id)
  expect(days).toHaveLength(wholeSpan())
  expect(days[0]).toMatchObject({ date: first(), spend: 1 })
  expect(new Set(days.map(({ spend }) => spend))).toEqual(new Set([1]))
  // The report of the last days, which each round sends, is the first.
  const [recent, ...steps] = asked
  expect(recent?.to).toBe(dayAt(0))
  expect(steps.every(({ from, to }) => daysBetween(from, to) < 10)).toBe(true)
  expect(steps.reduce((sum, { from, to }) => sum + daysBetween(from, to) + 1, 0)).toBe(wholeSpan())
  asked = []
  await backfill()
  expect(asked).toHaveLength(1)
})

test('go on where a fault of the network has ended them', async () => {
  const id = await deployed(all)
  await all.round()
  let left = 150
  const ending = adapter(() => {
    left -= 1
    return left >= 0
      ? null
      : new NetworkFault('rate_limited', 'Enough.', { retryAfterSeconds: 600 })
  })
  expect((await backfill(ending)).faults).toMatchObject([{ fault: 'Enough.' }])
  const before = asked.length
  const oldest = asked.at(-1)?.to
  asked = []
  await backfill()
  expect(before).toBeGreaterThan(5)
  expect(asked[1]?.to).toBe(oldest)
  expect(await stored(id)).toHaveLength(wholeSpan())
})

test('are of a campaign that is linked later, and of the others no more', async () => {
  const old = await deployed(all, { name: 'Old' })
  await backfill(adapter(), 1)
  await backfill(adapter(), 1)
  const id = await deployed(all, { name: 'New' })
  await all.round()
  asked = []
  await backfill(adapter(), 1)
  expect(asked.slice(1).every(({ ids }) => ids === 1)).toBe(true)
  expect((await stored(id)).length).toBe((await stored(old)).length)
})

test('are not asked for without the request', async () => {
  await deployed(all)
  await all.round()
  await all.round({ adapter: adapter() })
  expect(asked).toHaveLength(1)
})

test.each(['', '{"campaigns": 1}', '{"backfilled": {"prf_1": {"cmp_1": "soon"}}}', '[]'])(
  'never overwrite another file: %s',
  async (text) => {
    await writeFile(file, text)
    await expect(openProgress(file)).rejects.toThrow('name another')
    expect(await readFile(file, 'utf8')).toBe(text)
  },
)
