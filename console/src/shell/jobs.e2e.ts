import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { countIn, keepPicture, press } from '../../test/clicks.ts'
import { consoleTests, test } from '../../test/console.ts'
import { campaignsOf, rowOf } from '../../test/grid.ts'

/** Jobs of a day, each with the clicks that it takes, and by keyboard alone. */
const tests = consoleTests()

/** The browser's own dialog, which no test can see. */
const watchPrints = (page: Page) =>
  page.evaluate('window.printed = 0; window.print = () => { window.printed += 1 }')
const printed = (page: Page) =>
  expect.poll(() => page.evaluate('window.printed'), { timeout: 20_000 }).toBe(1)

async function withClient() {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id } = (await owner.post('/clients', { name: 'Northwind', currency: 'USD' })).json()
  const month = new Date(tests.world().clock.now()).toISOString().slice(0, 7)
  await owner.put(`/clients/${id}/budgets/${month}`, { amounts: { USD: 12_000 } })
  const profile = { name: 'Northwind on Meta', client_id: id }
  const { id: profile_id } = (await owner.post('/profiles', profile)).json()
  const sale = { name: 'Sale', objective: 'sales', profile_id, daily_budget: 10, currency: 'USD' }
  const campaign_id = (await owner.post('/campaigns', sale)).json().id
  const now = new Date(tests.world().clock.now()).toISOString()
  const rows = [{ campaign_id, date: now.slice(0, 10), spend: 7.5 }]
  await owner.post('/results', { source: 'csv', reported_at: now, rows })
  return tests.open({ organization })
}

test('who over- or underspends by client, with its chart, printed: at most four clicks', async () => {
  const { page } = await withClient()
  await watchPrints(page)
  const click = countIn(page)
  await click.screen('Pacing')
  await click.link('Clients')
  await page.getByRole('row', { name: /Northwind.*12,000\.00/ }).waitFor()
  await keepPicture(page, 'job-4-clients')
  await click.link('Northwind')
  await page.getByRole('img', { name: /Each day/ }).waitFor()
  await click.button('Print')
  await printed(page)
  expect(click.made()).toBeLessThanOrEqual(4)
  await keepPicture(page, 'job-4-month')
})

test('the same by keyboard', async () => {
  const { page } = await withClient()
  await watchPrints(page)
  await page.keyboard.press('g')
  await page.keyboard.press('y')
  await page.getByRole('navigation', { name: 'Pacing of' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Clients' }).focus()
  await page.keyboard.press('Enter')
  await press(page, 'link', 'Northwind')
  await page.getByRole('img', { name: /Each day/ }).waitFor()
  await page.keyboard.press('Control+p')
  await printed(page)
})

async function withPause() {
  const organization = await tests.world().organization()
  const [made] = await campaignsOf(organization, [{ name: 'Spring sale', daily_budget: 480 }])
  const { owner } = organization
  await owner.post(`/campaigns/${made?.id}/launch`)
  await owner.post(`/campaigns/${made?.id}/pause`, { reason: 'Landing page down' })
  const opened = await tests.open({ organization })
  const stored = async () => (await owner.get(`/campaigns/${made?.id}`)).json().status
  return { ...opened, stored }
}

/** Half a day later, by the clock of the page. */
async function later(page: Page): Promise<void> {
  await page.clock.setFixedTime(Date.now() + 12 * 3_600_000)
  await page.reload()
  await page.getByRole('main').getByRole('link', { name: 'Spring sale' }).first().waitFor()
}

test('who paused it, why, what it cost, and back: at most four clicks', async () => {
  const { page, stored } = await withPause()
  await later(page)
  const click = countIn(page)
  await page.getByRole('main').getByRole('link', { name: 'Spring sale' }).first().click()
  const main = page.getByRole('main')
  await main.getByText(/^Paused by Olga Owner/).waitFor()
  await main.getByText('Landing page down').waitFor()
  await main.getByText('about USD 240.00 not spent').waitFor()
  await keepPicture(page, 'job-6-paused')
  await click.button('Resume…')
  await page.getByRole('dialog').waitFor()
  await click.button('Resume')
  await expect.poll(stored).toBe('active')
  expect(click.made() + 1).toBeLessThanOrEqual(4)
})

test('the same by keyboard, from the palette', async () => {
  const { page, stored } = await withPause()
  await later(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /Find a screen/ }).waitFor()
  await page.keyboard.type('spring')
  await page.getByRole('option', { name: /Spring sale/ }).waitFor()
  await page.keyboard.press('Enter')
  const main = page.getByRole('main')
  await main.getByText('Landing page down').waitFor()
  await main.getByText('about USD 240.00 not spent').waitFor()
  await press(page, 'button', 'Resume…')
  await press(page, 'button', 'Resume')
  await expect.poll(stored).toBe('active')
})

async function amongMany() {
  const organization = await tests.world().organization()
  const names = Array.from({ length: 300 }, (_, at) => `Campaign ${at}`)
  const bodies = [...names, 'Espresso Grinders – Baltics – Search'].map((name) => ({ name }))
  await campaignsOf(organization, bodies)
  const opened = await tests.open({ organization })
  const saved = async () => (await organization.owner.get('/views')).json().data
  return { ...opened, saved }
}

const kept = [{ name: 'Baltics', query: 'q=balt+grind', shared: true }]

test('found among 300 by half a name, saved and shared: at most five clicks', async () => {
  const { page, saved } = await amongMany()
  const click = countIn(page)
  await click.screen('Campaigns')
  await click.focus('Search campaigns')
  await page.keyboard.type('balt grind')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await rowOf(page, 'Espresso Grinders – Baltics – Search').waitFor()
  await click.button('Views')
  await click.item('Save this view…')
  await page.getByLabel('Name').fill('Baltics')
  await click.check('Share it with the organization')
  await page.keyboard.press('Enter')
  await page.getByText('Baltics is saved for all').waitFor()
  expect(click.made()).toBeLessThanOrEqual(5)
  await keepPicture(page, 'job-9-found')
  expect(await saved()).toMatchObject(kept)
})

test('the same by keys alone', async () => {
  const { page, saved } = await amongMany()
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor()
  await page.getByLabel('Search campaigns').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('balt grind')
  await rowOf(page, 'Campaign 299').waitFor({ state: 'detached' })
  await press(page, 'button', 'Views')
  await press(page, 'menuitem', 'Save this view…')
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  await page.keyboard.type('Baltics')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.getByText('Baltics is saved for all').waitFor()
  expect(await saved()).toMatchObject(kept)
})

test('what needs me today is there, at most one click away', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', { approval: { mode: 'always' } })
  const editor = await organization.as('editor')
  const [made] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  await editor.post(`/campaigns/${made?.id}/submit`)
  const { page } = await tests.open({ organization })
  await keepPicture(page, 'job-1-deck')
  await page
    .getByRole('main')
    .getByRole('link', { name: '1 campaign waits for your approval' })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor()
  await page.getByText('Spring sale').first().waitFor()
})
