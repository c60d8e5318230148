import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { terminalAt } from '../../cli/test/flightdeck.ts'
import { openWorld, unlimited, type World } from '../../server/test/support/world.ts'

let world: World
let url: string

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  url = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

const here = import.meta.dirname

test('the agency is validated, planned and applied as its README says', async () => {
  const { owner } = await world.organization()
  const { run } = await terminalAt(url, { FLIGHTDECK_TOKEN: owner.token ?? '' })
  expect((await run(['validate', here])).stdout).toBe(
    'Project agency: 3 clients, 4 profiles, 2 templates, 6 campaigns. No faults.\n',
  )
  const plan = await run(['plan', here, '--markdown'])
  expect([plan.code, plan.stderr]).toEqual([3, ''])
  expect(plan.stdout).toContain('EUR a day')
  const applied = await run(['apply', here, '--yes', '--reason', 'abc123'])
  expect([applied.code, applied.stderr]).toEqual([0, ''])
  const { data } = (await owner.get('/campaigns?sort=name')).json()
  expect(data.map(({ name, status }: Record<string, string>) => `${name} ${status}`)).toEqual([
    'Always on active',
    'Spring sale active',
    'Summer scheduled',
    'Trials active',
    'Webinar draft',
    'Weekends active',
  ])
  expect((await run(['plan', here])).code).toBe(0)
})

test('the workflow calls commands that there are', async () => {
  const text = await readFile(join(here, '.github/workflows/campaigns.yml'), 'utf8')
  const { jobs } = parse(text) as { jobs: Record<string, { steps: { run?: string }[] }> }
  const steps = Object.values(jobs).flatMap(({ steps }) => steps)
  const called = steps.flatMap(({ run = '' }) => run.match(/flightdeck \w+/g) ?? [])
  expect(called).toEqual(['flightdeck validate', 'flightdeck plan', 'flightdeck apply'])
})
