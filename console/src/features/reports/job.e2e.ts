import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { countIn, keepPicture, press } from '../../../test/clicks.ts'
import { consoleTests, screens, test } from '../../../test/console.ts'

const tests = consoleTests()

/** The browser's own dialog, which no test can see. */
const watchPrints = (page: Page) =>
  page.evaluate('window.printed = 0; window.print = () => { window.printed += 1 }')
const printed = (page: Page) =>
  expect.poll(() => page.evaluate('window.printed'), { timeout: 20_000 }).toBe(1)

const address = (page: Page) => page.getByRole('dialog').getByText(/\/r\/[\w-]{43}$/)

test('the report of a month, printed and as a link, takes at most eight clicks', async () => {
  const organization = await tests.world().organization()
  await organization.owner.post('/clients', { name: 'Northwind' })
  const { page } = await tests.open({ organization })
  await watchPrints(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const click = countIn(page)
  await click.screen('Reports')
  await click.button('New report')
  await page.getByRole('dialog').getByLabel('Client').fill('north')
  await click.option(/Northwind/)
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Northwind, monthly')
  await click.button('Create report')
  await page.getByRole('heading', { name: 'Summary' }).waitFor()
  await click.button('Print')
  await printed(page)
  await click.button('Link…')
  await click.button('Create link')
  await address(page).waitFor()
  await click.button('Copy: Address')
  expect(click.made()).toBeLessThanOrEqual(8)
  await keepPicture(page, 'job-10-report')
  const url = await page.evaluate<string>('navigator.clipboard.readText()')
  const opened = await fetch(new URL(new URL(url).pathname, tests.origin()))
  expect(await opened.text()).toContain('Northwind, monthly')
})

test('the same goes by keyboard alone', async () => {
  const organization = await tests.world().organization()
  await organization.owner.post('/clients', { name: 'Northwind' })
  const { page } = await tests.open({ organization })
  await watchPrints(page)
  await page.keyboard.press('g')
  await page.keyboard.press('f')
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
  await press(page, 'button', 'New report')
  await page.getByRole('combobox', { name: 'Client' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('north')
  await page.getByRole('option', { name: /Northwind/ }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Northwind, monthly')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Summary' }).waitFor()
  await page.keyboard.press('Control+p')
  await printed(page)
  await press(page, 'button', 'Link…')
  await page.getByRole('dialog').getByLabel('Ends').waitFor()
  await press(page, 'button', 'Create link')
  await address(page).waitFor()
})

test('on the page of its client, a report is found and made', async () => {
  const organization = await tests.world().organization()
  await organization.owner.post('/clients', { name: 'Northwind' })
  const { page } = await tests.open({ organization })
  const click = countIn(page)
  await click.screen('Clients')
  await click.link('Northwind')
  await click.link('Reports')
  await page.getByText('No reports yet').waitFor()
  await click.button('New report')
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Northwind, monthly')
  await click.button('Create report')
  await page.getByRole('heading', { name: 'Summary' }).waitFor()
  expect(click.made()).toBe(5)
  await page.getByRole('main').getByRole('link', { name: 'Northwind', exact: true }).click()
  await page.getByRole('link', { name: 'Northwind, monthly' }).waitFor()
})

test('where screens show one client, so does the list of reports', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id } = (await owner.post('/clients', { name: 'Northwind' })).json()
  await owner.post('/reports', { name: 'Of Northwind', client_id: id, period: 'last_month' })
  await owner.post('/reports', { name: 'Of everything', period: 'last_month' })
  const { page } = await tests.open({ organization, path: '/reports' })
  await page.getByRole('link', { name: 'Of everything' }).waitFor()
  await page.goto(`${tests.origin()}/console?client_id=${id}`)
  await screens(page).getByRole('link', { name: 'Reports' }).click()
  await page.getByRole('link', { name: 'Of Northwind' }).waitFor()
  expect(await page.getByRole('link', { name: 'Of everything' }).count()).toBe(0)
  await page.getByRole('button', { name: 'New report' }).click()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Northwind, monthly')
})
