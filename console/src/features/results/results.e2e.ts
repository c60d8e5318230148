import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { Client } from '../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

const dayMs = 86_400_000
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)

async function launched(owner: Client, external_id: string, more: object = {}) {
  const account = { name: `${external_id} account`, ...more }
  const profile = (await owner.post('/profiles', account)).json()
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

async function spentOn(owner: Client, external_id: string, days: Record<number, number>) {
  const rows = Object.entries(days).map(([ago, spend]) => {
    return { external_id, date: day(Number(ago)), spend, clicks: 10, conversions: 4 }
  })
  const reported_at = tests.world().clock.now().toISOString()
  await owner.post('/results', { source: 'google_ads', reported_at, rows })
}

test('days are in their order, and chosen as people count them', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await launched(owner, 'n-6', { client: 'Acme' })
  await launched(owner, 'n-7', { client: 'Globex' })
  await spentOn(owner, 'n-6', { 1: 10, 2: 40, 3: 20, 8: 5 })
  await spentOn(owner, 'n-7', { 2: 2 })
  const { page } = await tests.open({ organization, path: '/results?group_by=day' })
  const spends = async () => {
    await page.getByRole('cell', { name: /^USD/ }).first().waitFor()
    const rows = await page.getByRole('table', { name: 'Results by day' }).locator('tbody tr').all()
    const texts = rows.map((row) => row.locator('td').nth(1).textContent())
    return (await Promise.all(texts)).map((text) => text?.replace(/\s/, ' '))
  }
  await page.getByLabel('Period').selectOption('last_7_days')
  const none = (days: number) => Array.from({ length: days }, () => '–')
  await expect.poll(spends).toEqual([...none(4), 'USD 20.00', 'USD 42.00', 'USD 10.00'])
  await page.getByText('what is today goes by yours, UTC').waitFor()
  await page.getByText(/^In all\s*USD\s72\.00$/).waitFor()
  await expectAccessible(page)

  await page.getByLabel('Client', { exact: true }).selectOption('Acme')
  await expect.poll(spends).toEqual([...none(4), 'USD 20.00', 'USD 40.00', 'USD 10.00'])
  await page.getByRole('columnheader', { name: 'CPA' }).waitFor()
  await page
    .getByRole('row', { name: /USD 40\.00/ })
    .getByText('USD 10.00')
    .waitFor()

  await page.getByLabel('From').fill(day(8))
  await page.getByLabel('To', { exact: true }).fill(day(2))
  await expect.poll(spends).toEqual(['USD 5.00', ...none(4), 'USD 20.00', 'USD 40.00'])
  expect(await page.getByLabel('Period').locator('option:checked').textContent()).toBe(
    'Chosen days',
  )
  await page.getByLabel('To', { exact: true }).fill(day(9))
  await page.getByText('The first day is after the last one.').waitFor()
  await page.getByLabel('Period').selectOption('yesterday')
  await expect.poll(spends).toEqual(['USD 10.00'])
})

test('a campaign that began today says why results of yesterday are no pacing', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const id = await launched(owner, 'n-8')
  await spentOn(owner, 'n-8', { 1: 10 })
  const { page } = await tests.open({ organization, path: `/campaigns/${id}?tab=pacing` })
  await page.getByText(/^No data, because all that was reported/).waitFor()
  await page.getByText('is of days before its period, which began on').waitFor()
  await expectAccessible(page)
  await page.goto(`${tests.origin()}/console/pacing`)
  await page.getByText('Reported days are before its period').waitFor()
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
