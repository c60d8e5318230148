import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { fill } from '../../../../server/src/commands/demo/demo.ts'
import { inTransaction } from '../../../../server/src/kernel/transaction.ts'
import { keepPicture } from '../../../test/clicks.ts'
import { consoleTests, screens, test } from '../../../test/console.ts'
import { manyCampaigns, rowOf } from '../../../test/grid.ts'

const tests = consoleTests()

/** The paper in the place of the browser's dialog, which no test can see. */
async function onPaper(page: Page, print: () => Promise<unknown>): Promise<void> {
  await page.evaluate('window.print = () => { window.isPrinted = true }')
  await print()
  await expect.poll(() => page.evaluate('window.isPrinted'), { timeout: 20_000 }).toBe(true)
  await page.emulateMedia({ media: 'print' })
}

const rowsOn = (page: Page) => page.locator('tbody tr').filter({ visible: true })

test('the grid is printed with all rows and columns, its filters in words, and no controls', async () => {
  const organization = await tests.world().organization()
  await manyCampaigns(organization, 250)
  const path =
    '/campaigns?q=campaign&status=active&status=paused&sort=-name&columns=status,daily_budget,client'
  const { page } = await tests.open({ organization, path })
  await rowOf(page, 'Campaign 99').waitFor()
  await onPaper(page, () => page.keyboard.press('Control+p'))
  expect(await rowsOn(page).count()).toBe(250)
  const heads = await page.locator('thead th').filter({ visible: true }).allInnerTexts()
  expect(heads).toEqual(['Name', 'Status', 'Daily budget', 'Client'])
  await page.getByText(/Search: “campaign” · Status: Active, Paused/).waitFor()
  await page.getByText(/Printed /).waitFor()
  await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor()
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
  expect(await page.getByRole('searchbox').filter({ visible: true }).count()).toBe(0)
  const color = 'getComputedStyle(document.querySelector("[data-printed] a")).color'
  expect(await page.evaluate(color)).toBe('rgb(0, 0, 0)')
})

test('what is cut says so', async () => {
  const organization = await tests.world().organization()
  await manyCampaigns(organization, 1_020)
  const { page } = await tests.open({ organization, path: '/campaigns?columns=status' })
  await rowOf(page, 'Campaign 1020').waitFor()
  await onPaper(page, () => page.keyboard.press('Control+p'))
  expect(await rowsOn(page).count()).toBe(1_000)
  await page.getByText('The first 1,000 of 1,020 rows.').waitFor()
})

test('a list reads its other pages before it is printed, by the button too', async () => {
  const organization = await tests.world().organization()
  for (let at = 0; at < 60; at += 1)
    await organization.owner.post('/profiles', { name: `Profile ${at}` })
  const { page } = await tests.open({ organization, path: '/profiles' })
  await page.getByRole('link', { name: 'Profile 59' }).waitFor()
  const button = page.getByRole('button', { name: 'Print' })
  await onPaper(page, () => button.click())
  expect(await rowsOn(page).count()).toBe(60)
  const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await page.evaluate(width)).toBeLessThanOrEqual(0)
})

test('each screen of the navigation is printed whole: no controls, every column, nothing cut', async () => {
  const organization = await tests.world().organization({ sandbox: true, name: 'Organization' })
  await inTransaction(organization.ctx, fill)
  await organization.owner.post('/reports', { name: 'All, monthly', period: 'last_month' })
  const { page } = await tests.open({ organization })
  const names = await screens(page).getByRole('link').allInnerTexts()
  expect(names.length).toBeGreaterThan(18)
  for (const name of names) {
    await page.emulateMedia({ media: 'screen' })
    await screens(page).getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
    await page.setViewportSize({ width: 1050, height: 750 })
    await page.emulateMedia({ media: 'print' })
    // Once it is read and drawn.
    await expect
      .poll(async () => [name, await page.evaluate(hiddenOnPaper)], { timeout: 8_000 })
      .toEqual([name, []])
    await keepPicture(page, `print-${name.replaceAll(' ', '-').toLowerCase()}`)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
})

/** On a landscape A4: what should not be there, what should, and what goes beyond the edge. */
const hiddenOnPaper = `(() => {
  const seen = (element) => element.checkVisibility()
  const found = (selector) => [...document.querySelectorAll(selector)]
  return [
    ...found('nav, search, input, select').filter(seen).map(({ outerHTML }) => outerHTML.slice(0, 120)),
    ...found('main th:not(.visually-hidden *)').filter((cell) => !seen(cell) && cell.closest('table')?.checkVisibility()).map(({ innerText, textContent }) => 'column ' + textContent),
    ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['too wide: ' + document.documentElement.scrollWidth] : []),
  ]
})()`
