import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../server/src/values/clock.ts'
import { openWorld, type World } from '../../../server/test/support/world.ts'
import { openProgress } from '../../kit/src/account/progress.ts'
import { wallClock } from '../fake/clock.ts'
import { type Connected, connect, deployed } from '../test/connected.ts'
import { customerId } from '../test/credential.ts'

let world: World
let address: string
let home: string

beforeAll(async () => {
  world = await openWorld({ clock: { ...systemClock, advance: () => {} } })
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
  home = await mkdtemp(join(tmpdir(), 'flightdeck-killed-'))
})
afterAll(async () => {
  await world.close()
  await rm(home, { recursive: true })
})

const dayMs = 86_400_000
const dayBefore = (days: number) => wallClock(Date.now() - days * dayMs, 'UTC').slice(0, 10)
const months = 13
const firstDay = () => {
  const date = new Date(dayBefore(0))
  date.setUTCMonth(date.getUTCMonth() - months)
  return date.toISOString().slice(0, 10)
}

/** A figure for each day of 14 months, another each day; answers those that are to be sent. */
function giveFigures({ fake }: Connected): Map<string, number> {
  const wanted = new Map<string, number>()
  const [campaign] = fake.control.campaigns(customerId)
  for (let days = 0; days < 430; days += 1) {
    const date = dayBefore(days)
    const figures = { costMicros: `${1_000_000 + days * 10_000}`, impressions: '9', clicks: '1' }
    fake.control.setFigures(customerId, String(campaign?.campaign.id), date, figures)
    if (date >= firstDay()) wanted.set(date, (100 + days) / 100)
  }
  return wanted
}

const longestMs = 100_000
/** The start of a process takes longest on a busy machine: after these kills one goes on to the end. */
const mostKills = 12
/** A connector that asks nothing for so long rests after a fault, such as an answer that came too late. */
const longestRestMs = 3_000

/** Waits until so much was asked, or no more is. */
async function untilAsked(enough: number, asked: () => number, isOver: () => Promise<boolean>) {
  let [last, since] = [asked(), Number.POSITIVE_INFINITY]
  while (asked() < enough && performance.now() - since < longestRestMs && !(await isOver())) {
    if (asked() > last) [last, since] = [asked(), performance.now()]
    await pause(2)
  }
}

test('a backfill that is killed at any moment goes on where it was, and sends each day once', async () => {
  const all = await connect(world, address)
  const id = await deployed(all)
  await all.round()
  const wanted = giveFigures(all)
  const key = `${id} ${all.fake.control.campaigns(customerId)[0]?.campaign.id}`
  const file = join(home, 'progress.json')
  const start = (): ChildProcess =>
    spawn(
      process.execPath,
      [join(import.meta.dirname, 'connector.ts'), `${address}/api/v1`, all.key, all.fake.url, file],
      { stdio: 'ignore' },
    )
  const asked = () => all.fake.counts.get('searchStream') ?? 0
  const oldest = async () => (await openProgress(file)).oldest(all.profile, key) ?? ''
  const until = performance.now() + longestMs
  const isOver = async () => (await oldest()) === firstDay() || performance.now() >= until
  const reached: string[] = []
  while (!(await isOver())) {
    const [child, before] = [start(), asked()]
    // The first queries are of the account and of the last days.
    const some = 5 + Math.floor(Math.random() * 12)
    const enough = reached.length < mostKills ? before + some : Number.POSITIVE_INFINITY
    await untilAsked(enough, asked, isOver)
    await pause(Math.random() * 40)
    child.kill('SIGKILL')
    await once(child, 'exit')
    reached.push(await oldest())
  }
  // It never begins again.
  expect(reached.filter(Boolean).toSorted().toReversed()).toEqual(reached.filter(Boolean))
  expect(reached.length).toBeGreaterThan(2)
  const query = `from=${dayBefore(500)}&to=${dayBefore(-1)}`
  const { data } = (await all.owner.get(`/campaigns/${id}/results?${query}`)).json()
  const sent = data.map(({ date, spend }: { date: string; spend: number }) => [date, spend])
  expect(new Map(sent)).toEqual(wanted)
  expect(sent).toHaveLength(wanted.size)
  await all.close()
})
