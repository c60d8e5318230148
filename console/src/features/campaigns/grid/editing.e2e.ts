import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { campaignsOf, cellOf, focusInGrid, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests()

/** The field of the cell that is being edited. */
const editor = (page: Page) => page.getByRole('dialog').locator('input').first()

test('cells are edited by mouse and by keyboard', async () => {
  const organization = await tests.world().organization()
  const bodies = [{ name: 'Spring sale', time_zone: 'Europe/Berlin', labels: ['spring'] }]
  const [made] = await campaignsOf(organization, bodies)
  const { page, client } = await tests.open({ organization, path: '/campaigns' })
  await cellOf(page, 'Spring sale', 'daily_budget').dblclick()
  await editor(page).fill('1.250,50')
  await expectAccessible(page)
  await page.getByText('Add a reason').click()
  await page.getByLabel('Reason').fill('Spring begins')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await cellOf(page, 'Spring sale', 'daily_budget').getByText('USD 1,250.50').waitFor()

  await focusInGrid(page)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('e')
  await editor(page).fill('2030-07-01T09:00')
  await page.keyboard.press('Enter')
  await cellOf(page, 'Spring sale', 'start_at').getByText('Jul 01, 2030, 09:00').waitFor()

  await focusInGrid(page)
  await page.keyboard.press('End')
  await page.keyboard.press('F2')
  await editor(page).pressSequentially('sale,')
  await page.keyboard.press('Enter')
  await cellOf(page, 'Spring sale', 'labels').getByText('sale', { exact: true }).waitFor()

  await focusInGrid(page)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('e')
  await editor(page).fill('Not this')
  await page.keyboard.press('Escape')
  await focusInGrid(page)
  await page.keyboard.press('F2')
  expect(await editor(page).inputValue()).toBe('Spring sale')
  await page.keyboard.press('Escape')

  const stored = (await client.get(`/campaigns/${made?.id}`)).json()
  expect(stored).toMatchObject({
    name: 'Spring sale',
    daily_budget_minor: 125_050,
    start_at: '2030-07-01T07:00:00.000Z',
    labels: ['spring', 'sale'],
  })
  const { data } = (await client.get('/audit_logs?action=campaign.updated&sort=sequence')).json()
  expect(data[0].reason).toBe('Spring begins')
})

test('a fault stands at the field in the words of the service', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale', currency: 'JPY', daily_budget: 1000 }])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  tests.expectComplaint(/422/)
  await cellOf(page, 'Spring sale', 'daily_budget').dblclick()
  await editor(page).fill('1000.5')
  await page.keyboard.press('Enter')
  const field = editor(page)
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
  await field.fill('1001')
  await page.keyboard.press('Enter')
  await cellOf(page, 'Spring sale', 'daily_budget').getByText('JPY 1,001').waitFor()
})

test('what another person changed meanwhile is shown beside one’s own edit', async () => {
  const organization = await tests.world().organization()
  const [made] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  tests.expectComplaint(/412/)
  await cellOf(page, 'Spring sale', 'daily_budget').dblclick()
  await editor(page).fill('120')
  const admin = await organization.as('admin')
  await admin.patch(`/campaigns/${made?.id}`, { daily_budget: 150 })
  await page.keyboard.press('Enter')
  await page.getByText('admin user changed this meanwhile.').waitFor()
  await page.getByRole('cell', { name: '150.00' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Keep my edits and go on' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await cellOf(page, 'Spring sale', 'daily_budget').getByText('USD 120.00').waitFor()
})

test('a guardrail that refuses may be overridden with a reason', async () => {
  const organization = await tests.world().organization()
  const [made] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  await organization.owner.put('/organization/guardrails', { max_daily_budget: { USD: 200 } })
  const { page, client } = await tests.open({ organization, path: '/campaigns' })
  tests.expectComplaint(/422/)
  await cellOf(page, 'Spring sale', 'daily_budget').dblclick()
  await editor(page).fill('300')
  await page.keyboard.press('Enter')
  await page.getByLabel('Why it may be exceeded').fill('Agreed with the client')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await cellOf(page, 'Spring sale', 'daily_budget').getByText('USD 300.00').waitFor()
  const stored = (await client.get(`/campaigns/${made?.id}`)).json()
  expect(stored.daily_budget).toBe(300)
})

test('a field that may not change in its status says so', async () => {
  const organization = await tests.world().organization()
  const [made] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  await organization.owner.post(`/campaigns/${made?.id}/launch`)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await cellOf(page, 'Spring sale', 'start_at').dblclick()
  await page
    .getByText('Spring sale: its start cannot be changed while its status is active.')
    .waitFor()
})

test('a viewer reads the grid, and why nothing can be changed', async () => {
  const organization = await tests.world().organization()
  const [made] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  await organization.owner.post(`/campaigns/${made?.id}/launch`)
  const { page } = await tests.open({ organization, path: '/campaigns', role: 'viewer' })
  await rowOf(page, 'Spring sale').getByRole('link').focus()
  await page.keyboard.press('e')
  await page.getByText('Your role is viewer; this needs owner, admin, or editor.').first().waitFor()
  await page.keyboard.press('p')
  await page.getByText('Spring sale: Your role does not allow it.').waitFor()
  await page.keyboard.press('x')
  const pause = page.getByRole('button', { name: 'Pause…' })
  expect(await pause.getAttribute('aria-disabled')).toBe('true')
  await expectAccessible(page)
})

test('everything is done by keyboard alone', async () => {
  const organization = await tests.world().organization()
  const made = await campaignsOf(organization, [
    { name: 'Spring sale' },
    { name: 'Autumn sale' },
    { name: 'Winter coats' },
  ])
  for (const { id } of made) await organization.owner.post(`/campaigns/${id}/launch`)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Winter coats').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('sale')
  await rowOf(page, 'Winter coats').waitFor({ state: 'detached' })
  for (let presses = 0; presses < 10; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await page.locator('[role=grid] :focus').count()) > 0) break
  }
  await expect.poll(() => page.locator('[role=grid] a:focus').innerText()).toBe('Autumn sale')
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await page.getByRole('dialog', { name: 'Spring sale' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('k')
  await page.getByRole('dialog', { name: 'Autumn sale' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('[role=grid] a:focus').innerText()).toBe('Autumn sale')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('2 of 2 selected').waitFor()
  await page.keyboard.press('b')
  await page.getByLabel('Per cent').fill('10')
  await page.keyboard.press('Enter')
  await page.getByText('2 will change').waitFor()
  await page.keyboard.press('Escape')
  await focusInGrid(page)
  await page.keyboard.press('Escape')
  await page.getByText('2 campaigns').waitFor()
  await page.keyboard.press('p')
  await page.getByText('Spring sale is paused').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Spring sale', level: 1 }).waitFor()
})

test('single keys act in a page that has only just come', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale' }])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Spring sale').getByRole('link').focus()
  // The times of its events begin again, and stay in its first second.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 100)
  await page.keyboard.press('x')
  await page.getByText('1 of 1 selected').waitFor()
})

test('single keys can be turned off', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale' }])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Spring sale').getByRole('link').focus()
  await page.keyboard.press('?')
  await page.getByLabel('Single keys').uncheck()
  await page.getByRole('button', { name: 'Close' }).click()
  await rowOf(page, 'Spring sale').getByRole('link').focus()
  await page.keyboard.press('x')
  await page.keyboard.press('/')
  await page.getByText('1 campaign', { exact: true }).waitFor()
  await page.keyboard.press('Shift+Space')
  await page.getByText('1 of 1 selected').waitFor()
})
