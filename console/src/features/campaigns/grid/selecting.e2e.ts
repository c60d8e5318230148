import { expect } from 'vitest'
import { consoleTests, test } from '../../../../test/console.ts'
import { campaignsOf, cellOf, manyCampaigns, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests()

/** `Campaign n` is the first of n rows. */
async function open(count: number) {
  const organization = await tests.world().organization()
  await manyCampaigns(organization, count)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, `Campaign ${count}`).waitFor()
  const total = count.toLocaleString('en-US')
  const chosen = (expected: number) =>
    page
      .getByText(`${expected.toLocaleString('en-US')} of ${total} selected`, { exact: true })
      .waitFor()
  return { organization, page, chosen, focused: page.locator('[role=grid] :focus') }
}

test('a range of rows is selected by keyboard, and shrinks again', async () => {
  const { page, chosen, focused } = await open(300)
  await rowOf(page, 'Campaign 298').getByRole('link').focus()
  for (let rows = 0; rows < 120; rows += 1) await page.keyboard.press('Shift+ArrowDown')
  await chosen(121)
  expect(await focused.innerText()).toBe('Campaign 178')
  for (let rows = 0; rows < 20; rows += 1) await page.keyboard.press('Shift+ArrowUp')
  await chosen(101)
  expect(await rowOf(page, 'Campaign 197').getAttribute('aria-selected')).toBe('false')
  expect(await rowOf(page, 'Campaign 198').getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Control+Shift+Home')
  await chosen(3)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+PageDown')
  expect(await rowOf(page, 'Campaign 300').getAttribute('aria-selected')).toBe('true')
  await rowOf(page, 'Campaign 290')
    .locator('[data-column=status]')
    .click({ modifiers: ['Shift'] })
  await chosen(11)
})

test('a range to the last row takes the rows as they are read', async () => {
  const { page, chosen, focused } = await open(1_500)
  await rowOf(page, 'Campaign 1490').getByRole('link').focus()
  await page.keyboard.press('Control+Shift+End')
  await chosen(1_490)
  await expect.poll(() => focused.innerText()).toBe('Campaign 1')
  await page.keyboard.press('Control+Shift+Home')
  await chosen(11)
})

test('the focus stays in a row that is out of sight, and in one that is read', async () => {
  const { page, focused } = await open(1_000)
  await rowOf(page, 'Campaign 1000').getByRole('link').focus()
  await page.keyboard.press('Control+End')
  await expect.poll(() => focused.innerText()).toBe('Campaign 1')
  await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 0))
  await rowOf(page, 'Campaign 990').waitFor()
  expect(await focused.innerText()).toBe('Campaign 1')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => focused.innerText()).toBe('Campaign 2')
})

test('keys go on where the mouse has been', async () => {
  const { page, chosen, focused } = await open(30)
  await cellOf(page, 'Campaign 28', 'select').click({ position: { x: 3, y: 3 } })
  await chosen(1)
  expect(await focused.getAttribute('aria-label')).toBe('Select Campaign 28')
  await cellOf(page, 'Campaign 24', 'status').click({ modifiers: ['Shift'] })
  await chosen(5)
  await page.keyboard.press('Shift+ArrowDown')
  await chosen(6)
  expect(await page.evaluate('String(getSelection())')).toBe('')
})

test('a range begins at the same campaign after the list was read again', async () => {
  const { organization, page, chosen } = await open(30)
  await cellOf(page, 'Campaign 28', 'select').click()
  await chosen(1)
  await campaignsOf(organization, [{ name: 'Spring sale' }])
  await page.getByRole('button', { name: '1 change, reload' }).click()
  await rowOf(page, 'Spring sale').waitFor()
  await cellOf(page, 'Campaign 25', 'status').click({ modifiers: ['Shift'] })
  await page.getByText('4 of 31 selected', { exact: true }).waitFor()
  expect(await rowOf(page, 'Campaign 29').getAttribute('aria-selected')).toBe('false')
})
