import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openWorld, type World } from '../../server/test/support/world.ts'
import { main } from '../kit/src/connect.ts'
import { simAdapter } from './adapter.ts'
import { accountRef, type Connected, connect, deployed, deploymentOf } from './test/connected.ts'

let world: World
let address: string
let all: Connected
let printed: string

beforeAll(async () => {
  world = await openWorld()
  address = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())
beforeEach(async () => {
  all = await connect(world, address)
  vi.stubEnv('SIM_KEY', all.key)
  printed = ''
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += String(text)
      return true
    })
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await all.close()
})

const run = (...args: string[]) =>
  main(
    {
      name: 'sim',
      options: {},
      open: async () => ({ adapter: simAdapter({ url: all.network.url }), credential: 'sim' }),
    },
    ['--api', address, '--key', 'env:SIM_KEY', ...args],
  )

test('--once ends with 0 where all is in sync, and with 3 where something is not', async () => {
  const id = await deployed(all)
  expect(await run('--once')).toBe(0)
  expect((await deploymentOf(all.owner, id)).state).toBe('in_sync')
  await all.owner.patch(`/campaigns/${id}`, { daily_budget: 700 })
  expect(await run('--once', '--max-daily', 'USD=500')).toBe(3)
  expect(printed).toContain(': blocked')
  all.network.control.setAccount(accountRef, { status: 'SUSPENDED' })
  expect(await run('--once', '--json')).toBe(3)
})

test('--check writes nothing, here or there, and says what would be refused', async () => {
  const id = await deployed(all)
  expect(await run('--check')).toBe(0)
  all.network.control.setAccount(accountRef, { minimum_daily_budget_minor: 9_900 })
  expect(await run('--check')).toBe(3)
  expect(printed).toContain('must be at least 9900')
  expect(await deploymentOf(all.owner, id)).toMatchObject({ state: 'pending', attempts: 0 })
  expect(all.network.control.campaigns(accountRef)).toEqual([])
})

test('what it cannot begin with ends it', async () => {
  expect(await run('--poll-seconds', 'x')).toBe(2)
  expect(await run('--once', '--api', 'http://127.0.0.1:1')).toBe(1)
  expect(await run('--once', '--key', 'env:NO_SUCH_KEY')).toBe(1)
  vi.stubEnv('SIM_KEY', 'fdk_wrong')
  expect(await run()).toBe(1)
  expect(printed).not.toContain('fdk_wrong')
})
