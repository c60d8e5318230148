import { expect } from 'vitest'
import { consoleTests, expectAccessible, screens, test } from '../../../../test/console.ts'

const tests = consoleTests()

test('a month of a client is shown by currency and by day', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id } = (await owner.post('/clients', { name: 'Northwind', currency: 'USD' })).json()
  const profile = { name: 'Northwind on Meta', client_id: id }
  const { id: profile_id } = (await owner.post('/profiles', profile)).json()
  const sale = { name: 'Sale', objective: 'sales', profile_id, daily_budget: 10, currency: 'USD' }
  const campaign = (await owner.post('/campaigns', sale)).json()
  const today = new Date(tests.world().clock.now()).toISOString()
  const day = { campaign_id: campaign.id, date: today.slice(0, 10), spend: 7.5 }
  const rows = [{ ...day, impressions: 10, clicks: 1 }]
  const report = { source: 'csv', reported_at: today, rows }
  expect((await owner.post('/results', report)).statusCode).toBeLessThan(300)
  const month = today.slice(0, 7)
  await owner.put(`/clients/${id}/budgets/${month}`, { amounts: { USD: 100 } })
  const { page } = await tests.open({ organization, path: `/clients/${id}?tab=pacing` })
  const main = page.getByRole('main')
  await main.getByText('USD 100.00').waitFor()
  await main.getByText('USD 7.50', { exact: true }).first().waitFor()
  await page.getByRole('img', { name: /Each day/ }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Month after' }).click()
  await page.getByText(/Nothing is planned in/).waitFor()
})

test('who over- or underspends by client takes two clicks, or keys', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id } = (await owner.post('/clients', { name: 'Northwind' })).json()
  const month = new Date(tests.world().clock.now()).toISOString().slice(0, 7)
  await owner.put(`/clients/${id}/budgets/${month}`, { amounts: { USD: 12_000 } })
  const { page } = await tests.open({ organization })
  await screens(page).getByRole('link', { name: 'Pacing' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Clients' }).click()
  await page
    .getByRole('row', { name: /Northwind/ })
    .getByText('12,000.00')
    .waitFor()
  await expectAccessible(page)

  await page.goto(`${tests.origin()}/console/`)
  await page.locator('main h1').first().waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('y')
  await page.getByRole('navigation', { name: 'Pacing of' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Clients' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /Northwind/ }).waitFor()
  await page.getByLabel('Pacing', { exact: true }).selectOption('over')
  await page.getByRole('row', { name: /Northwind/ }).waitFor({ state: 'detached' })
})
