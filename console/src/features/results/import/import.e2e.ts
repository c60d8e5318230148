import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Client, TestOrganization } from '../../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'

const tests = consoleTests()

const dayMs = 86_400_000
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)

async function launched(owner: Client, external_id: string, more: object = {}): Promise<string> {
  const profile = (await owner.post('/profiles', { name: `${external_id} account` })).json()
  const body = {
    name: `Campaign ${external_id}`,
    external_id,
    objective: 'sales',
    profile_id: profile.id,
    currency: 'USD',
    daily_budget: 100,
    ...more,
  }
  const { id } = (await owner.post('/campaigns', body)).json()
  await owner.post(`/campaigns/${id}/launch`)
  return id
}

const fileOf = (content: string | Buffer) => ({
  name: 'report.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
})

const csvOf = (rows: readonly string[]) =>
  fileOf(['Campaign ID,Date,Cost,Impr.,Clicks', ...rows].join('\n'))

const source = (page: Page) => page.getByLabel('Source', { exact: true })
const importing = (page: Page, rows: string) =>
  page.getByRole('button', { name: `Check and import ${rows}`, exact: true }).click()

const opened = (organization: TestOrganization) =>
  tests.open({ organization, path: '/results/import' })

const storedOf = async (owner: Client, id: string) =>
  (await owner.get(`/campaigns/${id}/results`)).json().data

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
  await expect.poll(() => source(page).inputValue()).toBe('google_ads')
  await expectAccessible(page)
  await importing(page, '2 rows')
  await page.getByText('2 days imported').waitFor()
  await page.getByText('1 campaign changed pacing:').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'See results' }).click()
  await page.getByRole('cell', { name: 'USD 1,102.75' }).waitFor()
  await expectAccessible(page)
  expect(await storedOf(owner, id)).toMatchObject([{ spend: 1090.5, clicks: 40 }, { spend: 12.25 }])

  await page.getByRole('link', { name: 'Campaign n-1' }).click()
  const sections = page.getByRole('navigation', { name: 'Sections of the campaign' })
  await sections.getByRole('link', { name: 'Pacing' }).click()
  await page.getByRole('img', { name: /^Each day\./ }).waitFor()
  await page.getByText('Spent so far as a table').click()
  // Spending before the launch is no part of the period.
  await page.getByRole('cell', { name: 'USD 12.25' }).first().waitFor()
  await expectAccessible(page)
})

const export_ = (...rows: string[]) =>
  fileOf(
    [
      'Campaign report',
      '"Last 7 days"',
      'Day,Campaign,Currency code,Cost,Impr.,Clicks',
      ...rows,
      'Total: Account,--,USD,"1,281.39","32,693",895',
    ].join('\n'),
  )

test('of an export of a network what is no day is left out, and its campaigns are found by name', async () => {
  const organization = await tests.world().organization()
  const id = await launched(organization.owner, 'n-2', { name: 'Headlamps – search' })
  const { page } = await opened(organization)
  const row = `${day(1)},headlamps – search,USD,"1,110.42","12,480",411`
  await page.getByLabel('CSV file').setInputFiles(export_(row))
  await page.getByText('An export of Google Ads').waitFor()
  await page.getByText('Header found on line 3; 2 title lines skipped.').waitFor()
  await page.getByText('Left out: line 5 (Total: Account).').waitFor()
  await expectAccessible(page)
  await importing(page, '1 row')
  await page.getByText('1 day imported').waitFor()
  expect(await storedOf(organization.owner, id)).toMatchObject([
    { spend: 1110.42, impressions: 12_480, clicks: 411 },
  ])
})

test('all faults are shown at once; good rows are stored, and bad ones come back, mended', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const id = await launched(owner, 'n-3')
  const { page } = await opened(organization)
  await page
    .getByLabel('CSV file')
    .setInputFiles(
      export_(
        `${day(1)},Campaign n-3,USD,10.00,100,3`,
        `${day(2)},Campaign n-3,USD,n/a,100,3`,
        `soon,Campaign n-9,EUR,10.00,100,3`,
        `${day(3)},Campaign n-3,USD,10.00,1,3`,
        `${day(-9)},Campaign n-3,USD,10.00,10,3`,
      ),
    )
  await importing(page, '5 rows')
  await page.getByText('4 rows cannot be imported; nothing is stored yet').waitFor()
  const fault = (line: number) => page.getByRole('row', { name: new RegExp(`^${line} `) })
  await fault(5).filter({ hasText: 'n/a' }).filter({ hasText: 'Campaign n-3' }).waitFor()
  await fault(6)
    .filter({ hasText: 'is the name of no campaign; there is “Campaign n-3”' })
    .waitFor()
  await fault(6).filter({ hasText: 'is not a day written as YYYY-MM-DD' }).waitFor()
  await fault(7).filter({ hasText: 'at most impressions' }).waitFor()
  await fault(8).filter({ hasText: 'is after today' }).waitFor()
  await expectAccessible(page)
  expect(await storedOf(owner, id)).toEqual([])

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the 4 rows with reasons' }).click()
  const back = await text(await (await saved).createReadStream())
  expect(back).toContain('Clicks,Reason')
  await page.getByRole('button', { name: 'Import the other 1 row' }).click()
  await page.getByText('1 day imported').waitFor()
  await page.getByText('4 rows were left out').waitFor()
  await expectAccessible(page)
  expect(await storedOf(owner, id)).toMatchObject([{ spend: 10 }])

  const mended = back
    .replace('n/a', '7.25')
    .replace(/^(soon|[-\d]+,Campaign n-3,USD,10).*\r\n/gm, '')
  await page.getByLabel('CSV file').setInputFiles(fileOf(mended))
  await importing(page, '1 row')
  await page.getByText('1 day imported').waitFor()
  expect(await storedOf(owner, id)).toMatchObject([{ spend: 7.25 }, { spend: 10 }])
})

test('days and amounts that read two ways are asked about, and the button says so', async () => {
  const organization = await tests.world().organization()
  const id = await launched(organization.owner, 'n-4')
  const { page } = await opened(organization)
  const header = 'Campaign,When,Money'
  await page.getByLabel('CSV file').setInputFiles(fileOf(`${header}\nn-4,03/04/2026,"1,500"\n`))
  const main = page.getByRole('main')
  await main.getByText('Choose the column of the day.').waitFor()
  await page.getByLabel('Campaign’s id').selectOption({ label: 'Campaign' })
  await page.getByLabel('Day', { exact: true }).selectOption({ label: 'When' })
  await page.getByLabel('Spend', { exact: true }).selectOption({ label: 'Money' })
  await main.getByText('Name the source.').waitFor()
  await source(page).fill('sheet')
  await main.getByText('Choose how days are written: MM/DD/YYYY or DD/MM/YYYY.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Days', { exact: true }).selectOption('DD/MM/YYYY')
  await importing(page, '1 row')
  await page.getByText('reads two ways: 1500 or 1.500').waitFor()
  await page.getByLabel('Decimals').selectOption('.')
  await importing(page, '1 row')
  await page.getByText('1 day imported').waitFor()
  const stored = await organization.owner.get(
    `/campaigns/${id}/results?from=2026-04-03&to=2026-04-04`,
  )
  expect(stored.json().data).toMatchObject([{ date: '2026-04-03', spend: 1500 }])

  // Another file of the same form, later.
  await page.reload()
  await page.getByLabel('CSV file').setInputFiles(fileOf(`${header}\nn-4,04/04/2026,"1,600"\n`))
  await expect.poll(() => source(page).inputValue()).toBe('sheet')
  await importing(page, '1 row')
  await page.getByText('1 day imported').waitFor()
})

test('final days are corrected where it is asked for', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const id = await launched(owner, 'n-5')
  const rows = [{ external_id: 'n-5', date: day(1), spend: '12.50', is_final: true }]
  const reported_at = tests.world().clock.now().toISOString()
  await owner.post('/results', { source: 'google_ads', reported_at, rows })
  const { page } = await opened(organization)
  await page
    .getByLabel('CSV file')
    .setInputFiles(csvOf([`n-5,${day(1)},13.50,100,3`, `n-5,${day(0)},1.50,100,3`]))
  await importing(page, '2 rows')
  await page.getByText('The day is final').waitFor()
  await page.getByRole('button', { name: 'Correct the final day' }).click()
  await page.getByText('2 days imported').waitFor()
  expect(await storedOf(owner, id)).toMatchObject([
    { spend: 13.5, is_final: true },
    { spend: 1.5, is_final: false },
  ])
})

test('cells that are no counts are refused, not read as other numbers', async () => {
  const organization = await tests.world().organization()
  const id = await launched(organization.owner, 'n-6')
  const { page } = await opened(organization)
  const input = page.getByLabel('CSV file')
  await input.setInputFiles(csvOf([`n-6,${day(1)},10,100,10.5`, `n-6,${day(2)},,many,3`]))
  await importing(page, '2 rows')
  await page.getByText('2 rows cannot be imported').waitFor()
  await page.getByRole('row', { name: /Clicks 10.5 is not a whole number/ }).waitFor()
  await page
    .getByRole('row', { name: /Impr. many is not a number|Impr. many is not a whole/ })
    .waitFor()
  await page.getByRole('row', { name: /Cost is empty/ }).waitFor()

  await input.setInputFiles(csvOf([`n-6,${day(1)},10,"1,234,567",1.234`]))
  await importing(page, '1 row')
  await page.getByText('1 day imported').waitFor()
  expect(await storedOf(organization.owner, id)).toMatchObject([
    { impressions: 1_234_567, clicks: 1_234 },
  ])
})

test('a refusal while rows are stored says how many are', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await launched(owner, 'n-7')
  await launched(owner, 'n-8')
  const { page } = await opened(organization)
  tests.expectComplaint(/status of 422/)
  const rows = ['n-7', 'n-8'].flatMap((campaign) =>
    Array.from({ length: 501 }, (_, ago) => `${campaign},${day(ago)},1,10,1`),
  )
  await page.getByLabel('CSV file').setInputFiles(csvOf(rows))
  const lastDay = `"date":"${day(500)}"`
  // The second request alone begins with that day.
  await page.route('**/v1/results', async (route, request) => {
    const sent = request.postData() ?? ''
    const isSecond = request.method() === 'POST' && !sent.includes(`"date":"${day(0)}"`)
    await route.continue(isSecond ? { postData: sent.replace(lastDay, '"date":"soon"') } : {})
  })
  await importing(page, '1,002 rows')
  await page.getByText('1,000 of 1,002 rows are stored.').waitFor()
  await page.getByRole('alert').waitFor()
  await expectAccessible(page)
  await page.unroute('**/v1/results')
  await importing(page, '1,002 rows')
  await page.getByText('1,002 days imported').waitFor()
})
