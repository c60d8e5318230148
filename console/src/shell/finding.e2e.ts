import { expect } from 'vitest'
import { consoleTests, test } from '../../test/console.ts'
import { campaignsOf, rowOf } from '../../test/grid.ts'

const tests = consoleTests()

async function open() {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [
    { name: 'Espresso Grinders – Baltics – Search', external_id: 'CRM-4711' },
    { name: 'Größe Köln' },
    { name: 'Newsletter' },
  ])
  return tests.open({ organization, path: '/campaigns' })
}

test('the grid finds words in any order, parts of words, and without accents', async () => {
  const { page } = await open()
  const box = page.getByLabel('Search campaigns')
  for (const text of ['baltics grind', 'BALTICS SEARCH', 'grinder search balt', '4711 espresso']) {
    await box.fill(text)
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await rowOf(page, 'Espresso Grinders – Baltics – Search').waitFor()
  }
  await box.fill('koln grosse')
  await rowOf(page, 'Größe Köln').waitFor()
  await box.fill('espresso koln')
  await page.getByText('No campaign matches “espresso koln”').waitFor()
  await box.fill('espreso')
  await page.getByText('1 similar campaign').waitFor()
  await rowOf(page, 'Espresso Grinders – Baltics – Search').waitFor()
})

test('the palette finds the same way, and says what it did not find', async () => {
  const { page } = await open()
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: /Find a screen/ })
  await box.fill('baltics grind')
  await page.getByRole('option', { name: /Espresso Grinders/ }).waitFor()
  await box.fill('koln gross')
  await page.getByRole('option', { name: /Größe Köln/ }).waitFor()
  await box.fill('campaign new')
  await page.getByRole('option', { name: 'New campaign' }).waitFor()
  await box.fill('espresso koln')
  await page.getByText('Nothing matches “espresso koln”.').waitFor()
  expect(await page.getByRole('option').count()).toBe(0)
  await box.fill('espreso')
  await page.getByRole('option', { name: /Espresso Grinders.*Similar campaign/ }).waitFor()
})
