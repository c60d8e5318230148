import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { campaignOf } from '../../test/campaigns.ts'
import { consoleTests, screens, test } from '../../test/console.ts'
import { manyCampaigns, rowOf } from '../../test/grid.ts'

const tests = consoleTests()
const code = '**/console/assets/*'
const offer = (page: Page) => page.getByText('Flightdeck has been updated')
const reload = (page: Page) => page.getByRole('button', { name: 'Reload', exact: true })

/** As after an upgrade: what the page has not loaded yet is of a version that is gone. */
async function upgrade(page: Page): Promise<void> {
  tests.expectComplaint(/404/)
  await page.route(code, (route) => route.fulfill({ status: 404 }))
}

/** Each file's connection is refused; what the page has loaded goes on. */
async function cutOff(page: Page): Promise<void> {
  tests.expectComplaint(/ERR_CONNECTION_REFUSED/)
  await page.route(code, (route) => route.abort('connectionrefused'))
}

/** Gone once the page is loaded again. */
const mark = (page: Page) => page.evaluate('window.isFirstPage = true')
const isFirstPage = (page: Page) => page.evaluate('window.isFirstPage === true')

test('a screen of an earlier version offers to reload, and the edits are kept', async () => {
  const { page, organization } = await tests.open({ path: '/campaigns/new' })
  await campaignOf(organization.owner)
  await page.getByLabel('Name', { exact: true }).fill('Autumn sale')
  await mark(page)
  await upgrade(page)
  await screens(page).getByRole('link', { name: 'Profiles' }).click()
  await page.getByRole('heading', { level: 1, name: 'This screen is not loaded' }).waitFor()
  await offer(page).waitFor()
  expect(await isFirstPage(page)).toBe(true)

  await page.unroute(code)
  await reload(page).click()
  await page.getByRole('heading', { level: 1, name: 'Profiles' }).waitFor()
  expect(await isFirstPage(page)).toBe(false)
  await screens(page).getByRole('link', { name: 'Campaigns' }).click()
  await page.getByRole('button', { name: 'New campaign' }).click()
  await page.getByText('These edits were not saved last time.').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Autumn sale')
})

test('a dialog of an earlier version offers to reload, and can be closed instead', async () => {
  const organization = await tests.world().organization()
  const { id } = await campaignOf(organization.owner)
  const { page } = await tests.open({ organization, path: `/campaigns/${id}` })
  await upgrade(page)
  const edit = page.getByRole('button', { name: 'Edit', exact: true })
  await edit.click()
  const dialog = page.getByRole('dialog', { name: 'Not loaded' })
  await offer(page).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.locator(':focus', { hasText: 'Edit' }).waitFor()

  await edit.click()
  await dialog.waitFor()
  await page.unroute(code)
  await reload(page).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor()
})

test('a service that is merely away is not said to be updated, and all can be tried again', async () => {
  const organization = await tests.world().organization()
  await campaignOf(organization.owner)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await mark(page)
  await cutOff(page)
  const again = page.getByRole('button', { name: 'Try again' })
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByText('A part of the console could not be loaded').waitFor()
  expect(await offer(page).count()).toBe(0)
  await page.unroute(code)
  await again.click()
  await page.getByLabel('Width of Status in pixels').waitFor()
  expect(
    await page.evaluate(
      '[...document.querySelectorAll("link[rel=stylesheet]")].every((l) => l.sheet)',
    ),
  ).toBe(true)
  await page.keyboard.press('Escape')

  await cutOff(page)
  await screens(page).getByRole('link', { name: 'Profiles' }).click()
  await page.getByRole('heading', { level: 1, name: 'This screen is not loaded' }).waitFor()
  expect(await offer(page).count()).toBe(0)
  await page.unroute(code)
  await again.click()
  await page.getByRole('heading', { level: 1, name: 'Profiles' }).waitFor()
  expect(await isFirstPage(page)).toBe(true)
})

test('cells of an earlier version are asked for once, and said once, however far the grid scrolls', async () => {
  const organization = await tests.world().organization()
  await manyCampaigns(organization, 200)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Campaign 200').waitFor()
  await upgrade(page)
  let asked = 0
  page.on('request', (request) => {
    if (/\/assets\/.*\.js$/.test(request.url()) && request.method() === 'GET') asked += 1
  })
  await page.evaluate(`history.pushState(null, '', '?columns=pacing,spend')`)
  await page.getByText('Most forms keep a draft').waitFor()
  const first = asked
  await page.getByRole('button', { name: 'Dismiss' }).click()
  const grid = page.getByRole('grid')
  for (const top of [600, 1200, 1800, 2400]) {
    await grid.evaluate((element, to) => element.scrollTo(0, to), top)
    await page.waitForTimeout(300)
  }
  await rowOf(page, 'Campaign 195').waitFor({ state: 'detached' })
  expect(await offer(page).count()).toBe(0)
  expect([first > 0, asked]).toEqual([true, first])
})
