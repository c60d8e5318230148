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

const csvOf = (rows: readonly string[]) => ({
  name: 'report.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['Campaign ID,Date,Cost,Impr.,Clicks', ...rows].join('\n')),
})

test('a CSV file is mapped, checked, stored, and shown', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const id = await launched(owner, 'n-1')
  const { page } = await tests.open({ organization, path: '/results' })
  await page.getByText('No results in this period').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Import CSV' }).click()
  const file = csvOf([`n-1,${day(1)},"1,090.50",1000,40`, `n-1,${day(0)},12.25,100,3`])
  await page.getByLabel('CSV file').setInputFiles(file)
  const spend = page.getByLabel('Spend', { exact: true })
  await expect.poll(() => spend.locator('option:checked').textContent()).toBe('Cost')
  await page.getByLabel('Source', { exact: true }).fill('google_ads')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check and import 2 rows' }).click()
  await page.getByText('2 days imported').waitFor()
  await page.getByRole('cell', { name: 'USD 1,102.75' }).waitFor()
  await expectAccessible(page)
  const stored = (await owner.get(`/campaigns/${id}/results`)).json().data
  expect(stored).toMatchObject([{ spend: 1090.5, clicks: 40 }, { spend: 12.25 }])

  await page.getByRole('link', { name: 'Campaign n-1' }).click()
  const sections = page.getByRole('navigation', { name: 'Sections of the campaign' })
  await sections.getByRole('link', { name: 'Pacing' }).click()
  await page.getByRole('img', { name: /^Each day\./ }).waitFor()
  await page.getByText('Spent so far as a table').click()
  // What was spent before the launch is no part of the period.
  await page.getByRole('cell', { name: 'USD 12.25' }).first().waitFor()
  await expectAccessible(page)
})

test('faults are shown by row of the file, and nothing is stored', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const id = await launched(owner, 'n-2')
  const { page } = await tests.open({ organization, path: '/results/import' })
  const file = csvOf([`n-2,${day(1)},10,100,3`, `n-9,${day(1)},10,100,3`, `n-2,${day(-9)},1,1,1`])
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByLabel('Source', { exact: true }).fill('google_ads')
  await page.getByRole('button', { name: 'Check and import 3 rows' }).click()
  await page.getByText('2 rows were refused. Nothing of them is stored.').waitFor()
  expect(await page.getByRole('row').allTextContents()).toHaveLength(3)
  await expectAccessible(page)
  expect((await owner.get(`/campaigns/${id}/results`)).json().data).toEqual([])
})

test('an invalid value is reported with its row and field', async () => {
  const organization = await tests.world().organization()
  await launched(organization.owner, 'n-3')
  const { page } = await tests.open({ organization, path: '/results/import' })
  tests.expectComplaint(/status of 422/)
  const file = csvOf([`n-3,${day(1)},10,100,3`, 'n-3,2026-13-40,10,-100,3'])
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByLabel('Source', { exact: true }).fill('google_ads')
  await page.getByRole('button', { name: 'Check and import 2 rows' }).click()
  await page.getByText('1 row was refused. Nothing of it is stored.').waitFor()
  const row = page.getByRole('row', { name: /^3 / })
  await row
    .filter({ hasText: 'Date is not a valid date.' })
    .filter({ hasText: 'Impressions must' })
    .waitFor()
  expect(await page.getByRole('row').allTextContents()).toHaveLength(2)
})

test('cells that are no counts are refused, not read as other numbers', async () => {
  const organization = await tests.world().organization()
  const id = await launched(organization.owner, 'n-4')
  const { page } = await tests.open({ organization, path: '/results/import' })
  const input = page.getByLabel('CSV file')
  await input.setInputFiles(csvOf([`n-4,${day(1)},10,100,10.5`, `n-4,${day(2)},,many,3`]))
  await page.getByLabel('Source', { exact: true }).fill('google_ads')
  await page.getByRole('button', { name: 'Check and import 2 rows' }).click()
  await page.getByText('2 rows were refused. Nothing of them is stored.').waitFor()
  await page.getByText('Clicks is not a whole number: “10.5”.').waitFor()
  await page.getByText('Spend is empty. Impressions is not a whole number: “many”.').waitFor()

  await input.setInputFiles(csvOf([`n-4,${day(1)},10,"1,234,567",1.234`]))
  await page.getByRole('button', { name: 'Check and import 1 row' }).click()
  await page.waitForURL(/results$/)
  const { data } = (await organization.owner.get(`/campaigns/${id}/results`)).json()
  expect(data).toMatchObject([{ impressions: 1_234_567, clicks: 1_234 }])
})

test('a refusal while rows are stored says how many are', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await launched(owner, 'n-5')
  await launched(owner, 'n-6')
  const { page } = await tests.open({ organization, path: '/results/import' })
  tests.expectComplaint(/status of 422/)
  const rows = ['n-5', 'n-6'].flatMap((campaign) =>
    Array.from({ length: 501 }, (_, ago) => `${campaign},${day(ago)},1,10,1`),
  )
  await page.getByLabel('CSV file').setInputFiles(csvOf(rows))
  await page.getByLabel('Source', { exact: true }).fill('google_ads')
  const lastDay = `"date":"${day(500)}"`
  // The second request alone begins with that day.
  await page.route('**/v1/results', async (route, request) => {
    const sent = request.postData() ?? ''
    const isSecond = request.method() === 'POST' && !sent.includes(`"date":"${day(0)}"`)
    await route.continue(isSecond ? { postData: sent.replace(lastDay, '"date":"soon"') } : {})
  })
  await page.getByRole('button', { name: 'Check and import 1002 rows' }).click()
  await page.getByText('1,000 of 1,002 rows are stored.').waitFor()
  await page.getByText('Date is not a valid date.').waitFor()
  expect(await page.getByText('refused').count()).toBe(0)
  await expectAccessible(page)
  await page.unroute('**/v1/results')
  await page.getByRole('button', { name: 'Check and import 1002 rows' }).click()
  await page.getByText('1002 days imported').waitFor()
})

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
