import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTests, test } from '../../../test/console.ts'
import { campaignsOf, rowOf } from '../../../test/grid.ts'

const tests = consoleTests()

const addressed = (page: Page) => new URL(page.url()).searchParams

async function typeSlowly(page: Page, keys: string): Promise<void> {
  // Slower than the address takes, as people type.
  await page.keyboard.type(keys, { delay: 60 })
}

test('dates that filter campaigns can be typed, changed and taken away', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [
    { name: 'Spring sale', start_at: '2027-03-01T00:00:00Z' },
    { name: 'Winter coats', start_at: '2027-12-01T00:00:00Z' },
  ])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await page.getByRole('button', { name: 'More filters' }).click()
  const field = page.getByLabel('Start from')
  await field.focus()
  await typeSlowly(page, '06012027')
  expect(await field.inputValue()).toBe('2027-06-01')
  await rowOf(page, 'Spring sale').waitFor({ state: 'detached' })
  expect(addressed(page).get('start_after')).toBe('2027-06-01T00:00:00.000Z')

  await field.blur()
  await field.focus()
  await typeSlowly(page, '0101')
  await expect.poll(() => addressed(page).get('start_after')).toBe('2027-01-01T00:00:00.000Z')
  await rowOf(page, 'Spring sale').waitFor()
  await field.fill('')
  await expect.poll(() => addressed(page).get('start_after')).toBe(null)
})

test('a period is typed in the filters of results; half a date is never taken, and 25 is 2025', async () => {
  const { page } = await tests.open({ path: '/results?from=2026-01-05' })
  const until = page.getByLabel('To', { exact: true })
  await until.focus()
  await typeSlowly(page, '12012026')
  expect(await until.inputValue()).toBe('2026-12-01')
  await expect.poll(() => addressed(page).get('until')).toBe('2026-12-01')

  await until.focus()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Tab')
  await page.getByLabel('From').focus()
  expect(await until.inputValue()).toBe('2026-12-01')
  expect(addressed(page).get('until')).toBe('2026-12-01')

  await typeSlowly(page, '022825')
  await expect.poll(() => addressed(page).get('from')).toBe('2026-02-28')
  await page.getByRole('heading', { level: 1 }).focus()
  await expect.poll(() => addressed(page).get('from')).toBe('2025-02-28')
})
