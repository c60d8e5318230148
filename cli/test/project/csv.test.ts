import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignBody, made, profileOf } from '../../../server/test/support/cases/writes.ts'
import { openWorld, unlimited, type World } from '../../../server/test/support/world.ts'
import { run as command } from './in-process.ts'
import { opened } from './opened.ts'

let world: World
let url: string

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
  url = await world.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => world.close())

test('a spreadsheet changes what its cells say: blank leaves, [] clears', async () => {
  const { organization, folder, all } = await opened(world, url)
  const body = { ...campaignBody(await profileOf(organization)), external_id: 'spring' }
  const id = await made(organization.owner, '/campaigns', { ...body, labels: ['a'], notes: 'kept' })
  const exported = await command('csv', 'export', '--filter', 'status=draft')
  expect(exported.stdout).toContain(id)
  const path = join(folder, 'campaigns.csv')
  await writeFile(path, 'external_id,daily_budget,labels,notes\nspring,40,[],\n')
  expect((await command('csv', 'import', path)).code).toBe(2)
  const applied = await command('csv', 'import', path, '--yes', '--title', 'Budgets')
  expect([applied.code, applied.stderr]).toEqual([0, ''])
  expect(applied.stdout).toMatch(/^1 update\.\nApplied chs_\w{26}: 1 changed\.\n$/)
  const { spring } = await all('campaigns')
  expect(spring).toMatchObject({ daily_budget: 40, labels: [], notes: 'kept' })
  expect((await command('csv', 'import', path, '--yes')).stdout).toBe('1 unchanged.\n')
})

test('rows that cannot be applied are shown, and nothing is done', async () => {
  const { organization, folder, all } = await opened(world, url)
  const body = { ...campaignBody(await profileOf(organization)), external_id: 'spring' }
  await made(organization.owner, '/campaigns', body)
  const path = join(folder, 'campaigns.csv')
  await writeFile(path, 'external_id,daily_budget\nspring,33.517\n')
  const refused = await command('csv', 'import', path, '--yes')
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('! row 0: ')])
  expect(await all('change_sets')).toEqual({})
  expect((await command('csv', 'import', `${path}.gone`)).code).toBe(2)
})
