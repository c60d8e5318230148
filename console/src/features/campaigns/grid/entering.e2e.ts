import { expect } from 'vitest'
import { consoleTests, test } from '../../../../test/console.ts'
import { campaignsOf, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests()

async function open(path: string) {
  const organization = await tests.world().organization()
  const names = ['Spring sale', 'Autumn sale', 'Winter coats']
  await campaignsOf(
    organization,
    names.map((name) => ({ name })),
  )
  const { page } = await tests.open({ organization, path })
  return { page, focused: page.locator('[role=grid] :focus') }
}

test('letters enter the grid from the navigation, and Escape leads back to the search', async () => {
  const { page, focused } = await open('/')
  await page.keyboard.type('gc')
  await page.locator('main h1', { hasText: 'Campaigns' }).waitFor()
  await page.keyboard.press('j')
  await expect.poll(() => focused.innerText()).toBe('Winter coats')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('1 of 3 selected').waitFor()
  expect(await rowOf(page, 'Autumn sale').getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Escape')
  await page.getByText('3 campaigns').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Search campaigns')
})

test('x selects from outside the grid; g and a letter still go to screens', async () => {
  const { page } = await open('/campaigns')
  await rowOf(page, 'Winter coats').waitFor()
  await page.locator('main h1', { hasText: 'Campaigns' }).focus()
  await page.keyboard.press('x')
  await page.getByText('1 of 3 selected').waitFor()
  await page.locator('main h1', { hasText: 'Campaigns' }).focus()
  await page.keyboard.type('gk')
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
})

test.for(['Enter', 'ArrowDown'])('%s in the search goes to the first row found', async (key) => {
  const { page, focused } = await open('/campaigns')
  await rowOf(page, 'Winter coats').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('sale')
  await page.keyboard.press(key)
  await expect.poll(() => focused.innerText()).toBe('Autumn sale')
  await rowOf(page, 'Winter coats').waitFor({ state: 'detached' })
  expect(await focused.innerText()).toBe('Autumn sale')
  await page.keyboard.press('/')
  await page.keyboard.type(' nowhere')
  await page.keyboard.press(key)
  await page.getByText('No campaign matches “sale nowhere”').waitFor()
})

test('what is selected stays so in another search, and the hidden ones are counted', async () => {
  const { page } = await open('/campaigns')
  await rowOf(page, 'Winter coats').waitFor()
  await page.getByLabel('Select all rows that are loaded').click()
  await page.getByText('3 of 3 selected').waitFor()
  await page.getByLabel('Search campaigns').fill('sale')
  await page.getByText('3 selected, 1 hidden').waitFor()
  await page.getByRole('button', { name: 'Launch…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Winter coats').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Search campaigns').fill('')
  await page.getByText('3 of 3 selected').waitFor()
})
