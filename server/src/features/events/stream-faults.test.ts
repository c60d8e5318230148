import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listen, openStream } from '../../../test/support/event-stream.ts'
import { type Line, lineTo } from '../../../test/support/machines/flaky-connection.ts'
import {
  type FreshDatabase,
  migratedDatabase,
} from '../../../test/support/machines/fresh-database.ts'
import { clientOf, openWorld, type World } from '../../../test/support/world.ts'

let database: FreshDatabase
let line: Line
/** One process that loses its database, and another that continues to write. */
let broken: World
let sound: World

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  database = await migratedDatabase()
  line = await lineTo(database.address)
  broken = await openWorld({ address: line.address })
  sound = await openWorld({ address: database.address, clock: broken.clock })
})
afterAll(async () => {
  await broken.close()
  await sound.close()
  await line.close()
  await database.drop()
  vi.useRealTimers()
})

const aSecondLater = () => vi.advanceTimersByTimeAsync(1_000)

test('a stream survives a database outage and loses nothing', async () => {
  const { owner } = await sound.organization()
  const stream = await openStream(await listen(broken.app), owner)
  await stream.block()
  const names = ['Before', 'Meanwhile', 'Still', 'Again']
  const [before, ...meanwhile] = names.map(
    (name) => () => clientOf(sound.app, owner).patch('/organization', { name }),
  )
  await before?.()
  await aSecondLater()
  const received = await stream.events(1)
  await line.shut()
  for (const write of meanwhile) {
    await write()
    await aSecondLater()
  }
  const events = stream.events(3)
  const seconds = vi.waitFor(async () => {
    await aSecondLater()
    expect(await Promise.race([events, undefined])).toBeDefined()
  }, 20_000)
  await line.open()
  await seconds
  expect([...received, ...(await events)].map(({ data }) => data.object.name)).toEqual(names)
  await stream.hangUp()
})
