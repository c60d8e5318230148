import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { campaignsOf, cellOf, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests()

const dialog = (page: Page) => page.getByRole('dialog')

async function selectAll(page: Page): Promise<void> {
  await page.getByLabel('Select all rows that are loaded').click()
}

test('budgets are changed by per cent, seen first, and set back', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [
    { name: 'Spring sale', daily_budget: 33.33 },
    { name: 'Tokyo', currency: 'JPY', daily_budget: 1005 },
    { name: 'Lifetime only', daily_budget: null, lifetime_budget: 500 },
  ])
  const { page, client } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Tokyo').waitFor()
  await selectAll(page)
  await page.getByRole('button', { name: 'Budget…' }).click()
  await dialog(page).getByLabel('Per cent').fill('12.5')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByText('2 will change, 1 stays as it is.').waitFor()
  const shown = dialog(page).getByRole('row')
  expect(await shown.filter({ hasText: 'Spring sale' }).innerText()).toMatch(/33\.33.*37\.50/s)
  expect(await shown.filter({ hasText: 'Tokyo' }).innerText()).toMatch(/1,005.*1,131/s)
  expect(await shown.filter({ hasText: 'Lifetime only' }).innerText()).toContain('no daily budget')
  await expectAccessible(page)
  const before = (await client.get('/campaigns?q=Spring')).json().data[0]
  expect(before.daily_budget).toBe(33.33)

  await dialog(page).getByLabel('Reason').fill('Spring begins')
  await page.getByRole('button', { name: 'Change 2 campaigns' }).click()
  await page.getByText('2 changed, 1 stayed as it was.').waitFor()
  await cellOf(page, 'Spring sale', 'daily_budget').getByText('USD 37.50').waitFor()
  const { data } = (await client.get('/audit_logs?action=campaign.updated')).json()
  expect(data.map(({ reason }: { reason: string }) => reason)).toEqual([
    'Spring begins',
    'Spring begins',
  ])

  await page.getByRole('button', { name: 'Undo…' }).click()
  await page.getByRole('button', { name: 'Change 2 campaigns' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await cellOf(page, 'Spring sale', 'daily_budget').getByText('USD 33.33').waitFor()
})

test('faults stand at their rows, the rest is applied, and those that failed are tried again', async () => {
  const organization = await tests.world().organization()
  const [broken] = await campaignsOf(organization, [
    { name: 'Without a day', end_at: '2030-01-01T00:00:00Z' },
    { name: 'Spring sale' },
  ])
  const profile = (await organization.owner.get('/profiles')).json().data[0]
  await organization.owner.patch(`/campaigns/${broken?.id}`, { currency: 'EUR' })
  await organization.owner.patch(`/profiles/${profile.id}`, { currency: 'USD' })
  const { page, client } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Spring sale').waitFor()
  await selectAll(page)
  await page.getByRole('button', { name: 'Launch…' }).click()
  await page.getByText('1 will change, 1 cannot be changed.').waitFor()
  await dialog(page).getByLabel('If a campaign cannot be changed').selectOption('All or nothing')
  const change = page.getByRole('button', { name: 'Launch 1 campaign' })
  expect(await change.getAttribute('aria-disabled')).toBe('true')
  await dialog(page)
    .getByLabel('If a campaign cannot be changed')
    .selectOption('Change those that can be, report the others')
  await expectAccessible(page)
  await change.click()
  await page.getByText('1 changed, 1 failed.').waitFor()
  await expectAccessible(page)
  await cellOf(page, 'Spring sale', 'status').getByText('Active').waitFor()

  await client.patch(`/campaigns/${broken?.id}`, { currency: 'USD' })
  await page.getByRole('button', { name: 'Try the others again' }).click()
  await page.getByRole('button', { name: 'Launch 1 campaign' }).click()
  await page.getByText('1 changed.').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await cellOf(page, 'Without a day', 'status').getByText('Active').waitFor()
})

test('all or nothing changes nothing where another person was faster', async () => {
  const organization = await tests.world().organization()
  const [first] = await campaignsOf(organization, [
    { name: 'Spring sale' },
    { name: 'Winter coats' },
  ])
  const { page, client } = await tests.open({ organization, path: '/campaigns' })
  tests.expectComplaint(/422/)
  await rowOf(page, 'Spring sale').waitFor()
  await selectAll(page)
  await page.getByRole('button', { name: 'Labels…' }).click()
  await dialog(page).getByLabel('Labels').pressSequentially('sale,')
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByText('2 will change.').waitFor()
  await client.patch(`/campaigns/${first?.id}`, { notes: 'Changed meanwhile' })
  await dialog(page).getByLabel('If a campaign cannot be changed').selectOption('All or nothing')
  await page.getByRole('button', { name: 'Change 2 campaigns' }).click()
  await page.getByText(/so none was applied/).waitFor()
  await dialog(page).getByText('Refused', { exact: true }).waitFor()
  const labels = (await client.get('/campaigns')).json().data
  expect(labels.flatMap((each: { labels: string[] }) => each.labels)).toEqual([])

  await page.getByRole('button', { name: 'Try it out again' }).click()
  await page.getByText(/so none was applied/).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Change 2 campaigns' }).click()
  await page.getByText('2 changed.').waitFor()
})

test('a guardrail refuses rows, and a reason lets them through', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale' }, { name: 'Winter coats' }])
  await organization.owner.put('/organization/guardrails', { max_daily_budget: { USD: 150 } })
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Spring sale').waitFor()
  await selectAll(page)
  await page.getByRole('button', { name: 'Budget…' }).click()
  await dialog(page).getByLabel('Change').selectOption('Raise by an amount')
  await dialog(page).getByLabel('Amount').fill('100')
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByText('2 cannot be changed.').waitFor()
  await dialog(page).getByLabel('Why it may be exceeded').fill('Agreed with the client')
  await page.getByRole('button', { name: 'Try again with this reason' }).click()
  await page.getByText('2 will change.').waitFor()
  await page.getByRole('button', { name: 'Change 2 campaigns' }).click()
  await page.getByText('2 changed.').waitFor()
  await cellOf(page, 'Spring sale', 'daily_budget').getByText('USD 200.00').waitFor()
})

test('rows are selected by mouse: one, a range, all; and another filter keeps them', async () => {
  const organization = await tests.world().organization()
  const names = Array.from({ length: 6 }, (_, at) => ({ name: `Campaign ${at + 1}` }))
  await campaignsOf(organization, names)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Campaign 6').getByRole('checkbox').click()
  await cellOf(page, 'Campaign 3', 'status').click({ modifiers: ['Shift'] })
  await page.getByText('4 of 6 selected').waitFor()
  await rowOf(page, 'Campaign 5').getByRole('checkbox').click()
  await page.getByText('3 of 6 selected').waitFor()
  await cellOf(page, 'Campaign 1', 'status').click({ modifiers: ['ControlOrMeta'] })
  await page.getByText('4 of 6 selected').waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByText('6 of 6 selected').waitFor()
  await page.getByLabel('Search campaigns').fill('Campaign 2')
  await page.getByText('6 selected, 5 hidden', { exact: true }).waitFor()
})
