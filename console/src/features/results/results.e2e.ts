import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { Client } from '../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

const dayMs = 86_400_000
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)

async function launched(owner: Client, external_id: string) {
  const profile = (await owner.post('/profiles', { name: `${external_id} account` })).json()
  const body = {
    name: `Campaign ${external_id}`,
    external_id,
    objective: 'sales',
    profile_id: profile.id,
    currency: 'USD',
    daily_budget: 100,
  }
  const { id } = (await owner.post('/campaigns', body)).json()
  await owner.post(`/campaigns/${id}/launch`)
  return id
}

test('a viewer reads results and is offered no import', async () => {
  const { page } = await tests.open({ role: 'viewer', path: '/results' })
  await page.getByText('No results in this period').waitFor()
  expect(await page.getByRole('link', { name: 'Import CSV' }).count()).toBe(0)
})

test('results are saved as a file', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await launched(owner, 'n-4')
  const rows = [{ external_id: 'n-4', date: day(1), spend: '12.50' }]
  const reported_at = tests.world().clock.now().toISOString()
  const reply = await owner.post('/results', { source: 'google_ads', reported_at, rows })
  expect(reply.json().counts.created).toBe(1)
  const { page } = await tests.open({ organization, path: '/results' })
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect(await text(await (await saved).createReadStream())).toContain(',12.5,')
})

test('campaigns are listed by the money at risk', async () => {
  const organization = await tests.world().organization()
  await launched(organization.owner, 'n-3')
  const { page } = await tests.open({ organization, path: '/pacing' })
  await page.getByRole('link', { name: 'Campaign n-3' }).waitFor()
  await page.getByRole('cell', { name: 'No data' }).first().waitFor()
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Pacing' }).selectOption('critical')
  await page.getByText('No campaign matches').waitFor()
})

test('an administrator deletes a source, and its sums go with it', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const campaign_id = await launched(owner, 'n-7')
  const reported_at = new Date().toISOString()
  const report = (source: string, spend: number, more: object = {}) => {
    const rows = [{ campaign_id, date: day(0), spend }]
    return owner.post('/results', { source, reported_at, rows, ...more })
  }
  await report('google_ads', 12)
  await report('unknown tool', 90_000, { additional: true })
  const { page } = await tests.open({ organization, path: '/results' })
  await page.getByRole('cell', { name: 'USD 90,012.00' }).waitFor()
  await page.getByRole('button', { name: 'Delete unknown tool…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('All its results of 1 campaign go').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete source' }).click()
  await page.getByRole('cell', { name: 'USD 12.00' }).waitFor()
  expect(await page.getByRole('cell', { name: 'unknown tool' }).count()).toBe(0)
  const { data } = (await owner.get('/results/sources')).json()
  expect(data).toMatchObject([{ source: 'google_ads' }])
})

test('an editor is not offered to delete a source', async () => {
  const organization = await tests.world().organization()
  const campaign_id = await launched(organization.owner, 'n-8')
  const rows = [{ campaign_id, date: day(0), spend: 1 }]
  const reported_at = new Date().toISOString()
  await organization.owner.post('/results', { source: 'google_ads', reported_at, rows })
  const { page } = await tests.open({ organization, path: '/results', role: 'editor' })
  await page.getByRole('cell', { name: 'google_ads' }).first().waitFor()
  expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0)
})
