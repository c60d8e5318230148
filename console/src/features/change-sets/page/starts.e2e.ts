import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { campaignsOf, cellOf, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests()

const tray = (page: Page) => page.getByRole('region', { name: 'Edits not published' })

const runButton = (page: Page, name: string) => cellOf(page, name, 'run').getByRole('button')

async function publish(page: Page): Promise<void> {
  await tray(page).getByRole('button', { name: 'Review and publish' }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
}

test('starts of the grid wait in the tray, survive a reload, and are taken back by the same key', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const [draft, paused] = await campaignsOf(organization, [
    { name: 'Winter coats', daily_budget: 20 },
    { name: 'Spring sale' },
    { name: 'Running' },
  ])
  await owner.post(`/campaigns/${paused?.id}/launch`)
  await owner.post(`/campaigns/${paused?.id}/pause`)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await runButton(page, 'Spring sale').click()
  await tray(page).getByText('1 edit not published').waitFor()
  await tray(page).getByText('+ USD 100.00 a day').waitFor()
  await rowOf(page, 'Winter coats').getByRole('link').focus()
  await page.keyboard.press('p')
  await tray(page).getByText('2 edits not published').waitFor()
  await tray(page).getByText('+ USD 120.00 a day').waitFor()
  await expectAccessible(page)
  const statusOf = async (id: string | undefined) =>
    (await owner.get(`/campaigns/${id}`)).json().status
  expect([await statusOf(draft?.id), await statusOf(paused?.id)]).toEqual(['draft', 'paused'])

  await page.reload()
  await tray(page).getByText('+ USD 120.00 a day').waitFor()
  await runButton(page, 'Spring sale').and(page.getByLabel('Do not start Spring sale')).click()
  await tray(page).getByText('1 edit not published').waitFor()
  await tray(page).getByText('+ USD 20.00 a day').waitFor()
  await runButton(page, 'Spring sale').and(page.getByLabel('Resume Spring sale')).click()
  await tray(page).getByText('+ USD 120.00 a day').waitFor()
  await publish(page)
  await page.getByText('2 edits published').waitFor()
  await cellOf(page, 'Winter coats', 'status').getByText('Active').waitFor()
  await cellOf(page, 'Spring sale', 'status').getByText('Active').waitFor()
  await tray(page).waitFor({ state: 'detached' })
  const { data } = (await owner.get('/change_sets')).json()
  expect(data).toMatchObject([{ status: 'applied', summary: { action: 2 }, operation_count: 2 }])

  await runButton(page, 'Spring sale').and(page.getByLabel('Pause Spring sale')).click()
  await cellOf(page, 'Spring sale', 'status').getByText('Paused').waitFor()
  expect(await tray(page).count()).toBe(0)
})

test('chosen campaigns are launched with the next publishing, summed by currency', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await campaignsOf(organization, [
    { name: 'Berlin', currency: 'EUR', daily_budget: 30 },
    { name: 'Boston', daily_budget: 45.5 },
  ])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Boston').waitFor()
  await page.getByLabel('Select all rows that are loaded').click()
  await page.getByRole('button', { name: 'Launch…' }).click()
  await page.getByText('2 will change.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish later' }).click()
  await tray(page).getByText('2 edits not published').waitFor()
  await tray(page).getByText('+ EUR 30.00 a day').waitFor()
  await tray(page).getByText('+ USD 45.50 a day').waitFor()

  await page.getByRole('button', { name: 'Budget…' }).click()
  await page.getByRole('dialog').getByLabel('Per cent').fill('10')
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByText('2 will change.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish later' }).click()
  await tray(page).getByText('+ EUR 33.00 a day').waitFor()
  await tray(page).getByText('+ USD 50.05 a day').waitFor()
  await tray(page).getByText('2 edits not published').waitFor()
  await publish(page)
  await page.getByText('2 edits published').waitFor()
  const { data } = (await owner.get('/campaigns?sort=name')).json()
  expect(data).toMatchObject([
    { name: 'Berlin', status: 'active', daily_budget: 33 },
    { name: 'Boston', status: 'active', daily_budget: 50.05 },
  ])
})

test('what stops is done at once, also for many', async () => {
  const organization = await tests.world().organization()
  const [running] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  await organization.owner.post(`/campaigns/${running?.id}/launch`)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Spring sale').getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Pause…' }).click()
  await page.getByText('1 will change.').waitFor()
  expect(await page.getByRole('button', { name: 'Publish later' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Pause 1 campaign' }).click()
  await page.getByText('1 changed.').waitFor()
})

test('a start from the page of a campaign waits too, and is removed in the review', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const [first] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  const { page } = await tests.open({ organization, path: `/campaigns/${first?.id}` })
  const main = page.getByRole('main')
  const later = page.getByRole('dialog').getByRole('button', { name: 'Publish later' })
  await main.getByRole('button', { name: 'Launch…' }).click()
  await expectAccessible(page)
  await later.click()
  await tray(page).getByText('+ USD 100.00 a day').waitFor()
  await tray(page).getByRole('button', { name: 'Review and publish' }).click()
  await page.getByRole('row', { name: 'Spring sale' }).getByText('Launch').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove Spring sale' }).click()
  await tray(page).waitFor({ state: 'detached' })
  expect((await owner.get(`/campaigns/${first?.id}`)).json().status).toBe('draft')

  await owner.post(`/campaigns/${first?.id}/launch`)
  await owner.post(`/campaigns/${first?.id}/pause`)
  await main.getByRole('button', { name: 'Resume…' }).click()
  await later.click()
  await tray(page).getByText('+ USD 100.00 a day').waitFor()
  await owner.patch(`/campaigns/${first?.id}`, { notes: 'Changed meanwhile' })
  await page.reload()
  await tray(page).getByText('1 cannot be applied').waitFor()
  await tray(page).getByRole('button', { name: 'Discard' }).click()
  await main.getByRole('button', { name: 'Resume…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await page.getByText('Spring sale is resumed').waitFor()
  await main.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Spring sale is paused').waitFor()
})
