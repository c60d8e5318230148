import { expect } from 'vitest'
import { consoleTests, expectAccessible, screens, test } from '../../../test/console.ts'

const tests = consoleTests()

test('a client is created, changed, archived and deleted', async () => {
  const { page, client } = await tests.open({ path: '/clients' })
  await page.getByText('No clients yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New client' }).first().click()
  await page.getByLabel('Name').fill('Northwind Traders')
  await page.getByRole('dialog').getByLabel('Currency').selectOption('USD')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create client' }).click()
  await page.getByRole('heading', { name: 'Northwind Traders', level: 1 }).waitFor()
  await page.getByText('Nothing is planned this month').waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Time zone').fill('America/New_York')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('main').getByText('America/New_York').waitFor()
  const [made] = (await client.get('/clients')).json().data
  expect(made).toMatchObject({ currency: 'USD', time_zone: 'America/New_York' })

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Archive…' }).click()
  await page.getByLabel('Reason').fill('The contract ended')
  await page.getByRole('button', { name: 'Archive client' }).click()
  await page.getByText('Northwind Traders is archived').waitFor()
  await screens(page).getByRole('link', { name: 'Clients' }).click()
  await page.getByText('No clients yet').waitFor()
  await page.getByLabel('Status').selectOption('archived')
  await page.getByRole('link', { name: 'Northwind Traders' }).click()

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete client' }).click()
  await page.getByText('No clients yet').waitFor()
  expect((await client.get('/clients?include_archived=true')).json().data).toEqual([])
})

test('a taken name is refused, and why is said', async () => {
  const organization = await tests.world().organization()
  await organization.owner.post('/clients', { name: 'Northwind' })
  const { page } = await tests.open({ organization, path: '/clients?open=new' })
  tests.expectComplaint(/409/)
  await page.getByLabel('Name').fill(' NORTHWIND ')
  await page.getByRole('button', { name: 'Create client' }).click()
  await page.getByText('Another client already has this name').waitFor()
  await expectAccessible(page)
})

test('a client shows its profiles and campaigns, and goes back to an earlier version', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id } = (await owner.post('/clients', { name: 'Northwind' })).json()
  await owner.patch(`/clients/${id}`, { name: 'Northwind Traders', notes: 'Pays late.' })
  const profile = { name: 'Northwind on Meta', client_id: id, currency: 'EUR' }
  const { id: profile_id } = (await owner.post('/profiles', profile)).json()
  await owner.post('/campaigns', { name: 'Sale', objective: 'sales', profile_id, daily_budget: 10 })
  const { page } = await tests.open({ organization, path: `/clients/${id}` })
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Campaigns' }).click()
  await page.getByRole('link', { name: 'Sale' }).waitFor()
  await main.getByRole('link', { name: 'Profiles' }).click()
  await page.getByRole('link', { name: 'Northwind on Meta' }).waitFor()
  await expectAccessible(page)
  await main.getByRole('link', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Version 1' }).click()
  await page.getByRole('button', { name: 'Revert to this version…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revert', exact: true }).last().click()
  await page.getByRole('heading', { name: 'Northwind', level: 1, exact: true }).waitFor()
  expect((await owner.get(`/clients/${id}`)).json()).toMatchObject({
    name: 'Northwind',
    notes: null,
  })
})

test('a client with profiles is not deleted: they are named, and lead there', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id } = (await owner.post('/clients', { name: 'Northwind' })).json()
  await owner.post('/profiles', { name: 'Northwind on Meta', client_id: id })
  const { page } = await tests.open({ organization, path: `/clients/${id}?open=delete` })
  tests.expectComplaint(/409/)
  await page.getByRole('button', { name: 'Delete client' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Northwind on Meta' }).waitFor()
  await expectAccessible(page)
})

test('the list says how the month of each goes, in each currency, and saves it as a file', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id } = (await owner.post('/clients', { name: 'Northwind' })).json()
  const month = new Date(tests.world().clock.now()).toISOString().slice(0, 7)
  await owner.put(`/clients/${id}/budgets/${month}`, { amounts: { USD: 12_000, EUR: 3_000 } })
  const { page } = await tests.open({ organization, path: '/clients' })
  const row = page.getByRole('row', { name: /Northwind/ })
  await row.getByText('12,000.00').waitFor()
  await row.getByText('3,000.00').waitFor()
  expect(await row.getByText('Not running').count()).toBe(2)
  await expectAccessible(page)
  await tests.untilLive(page)
  await owner.put(`/clients/${id}/budgets/${month}`, { amounts: { USD: 9_000 } })
  await row.getByText('9,000.00').waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const file = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/^clients_.*\.csv$/)
})

test('a viewer reads clients, and why they cannot be changed', async () => {
  const { page } = await tests.open({ path: '/clients', role: 'viewer' })
  const button = page.getByRole('button', { name: 'New client' }).first()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
})

test('a client is found from anywhere', async () => {
  const organization = await tests.world().organization()
  await organization.owner.post('/clients', { name: 'Northwind Traders' })
  const { page } = await tests.open({ organization })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('northw')
  await page.getByRole('option', { name: /Northwind Traders/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Northwind Traders', level: 1 }).waitFor()
})
