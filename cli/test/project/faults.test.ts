import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openWorld, unlimited, type World } from '../../../server/test/support/world.ts'
import { terminalAt } from '../flightdeck.ts'
import { opened } from './opened.ts'

let world: World
let url: string

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  url = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

const names = Array.from({ length: 20 }, (_, at) => `c${at}`)

const file = (budget: number) => `
project: many
profiles: {meta: {currency: USD}}
campaigns:
${names.map((name) => `  ${name}: {profile: meta, objective: sales, daily_budget: ${budget}}`).join('\n')}
`

const kills = Number(process.env.FLIGHTDECK_TEST_PROJECT_KILLS ?? 5)

test('killed while it applies, it has done all of it or nothing, and the same command goes on', async () => {
  const { with: at, run, folder, organization, all } = await opened(world, url)
  await at(file(20), 'apply', '--yes')
  const terminal = await terminalAt(url, { FLIGHTDECK_TOKEN: organization.owner.token ?? '' })
  for (let round = 0; round < kills; round++) {
    const budget = 30 + round
    await at(file(budget), 'validate')
    const apply = terminal.begin(['apply', folder, '--yes', '--allow', 'many'])
    await pause(150 + Math.random() * 500)
    apply.signal('SIGKILL')
    await apply.ended
    const budgets = new Set(
      Object.values(await all('campaigns')).map(({ daily_budget }) => daily_budget),
    )
    expect(budgets.size).toBe(1)
    const again = () => run('apply', '--yes', '--allow', 'many')
    const next = await again()
    // What was killed may still be under way in the service: of two at once, one is stale.
    const { code, stderr } = next.code === 6 ? await again() : next
    expect([code, stderr]).toEqual([0, ''])
    expect((await run('plan')).code).toBe(0)
  }
  const applied = '/change_sets?status=applied&include_total=true&limit=1'
  expect((await organization.owner.get(applied)).json().meta.total).toBe(kills + 1)
}, 600_000)

test('of two applies at once one wins; the other has nothing to do, or says that it is stale', async () => {
  const { with: at, folder, organization, run } = await opened(world, url)
  await at(file(20), 'apply', '--yes')
  const editor = await organization.as('editor')
  const [one, other] = [organization.owner, editor].map(({ token }) =>
    terminalAt(url, { FLIGHTDECK_TOKEN: token ?? '' }),
  )
  await at(file(25), 'validate')
  const words = ['apply', folder, '--yes', '--allow', 'many']
  const ended = await Promise.all([one, other].map(async (each) => (await each)?.run(words)))
  const codes = ended.map((each) => each?.code).sort()
  expect(codes[0]).toBe(0)
  expect([0, 6]).toContain(codes[1])
  expect((await run('plan')).code).toBe(0)
  const versions = await organization.owner.get('/campaigns?limit=100')
  for (const { version } of versions.json().data) expect(version).toBe(2)
})

test('a plan of 1,000 campaigns without changes takes 14 requests at most', async () => {
  const { with: at, run } = await opened(world, url)
  const many = Array.from(
    { length: 1_000 },
    (_, at) => `  c${at}: {profile: meta, objective: sales, daily_budget: 20, state: draft}`,
  )
  const text = `project: large\nprofiles: {meta: {currency: USD}}\ncampaigns:\n${many.join('\n')}\n`
  expect((await at(text, 'apply', '--yes')).code).toBe(0)
  const send = vi.spyOn(globalThis, 'fetch')
  expect((await run('plan')).code).toBe(0)
  expect(send.mock.calls.length).toBeLessThanOrEqual(14)
  send.mockRestore()
}, 120_000)
