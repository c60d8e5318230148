import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

test('error codes are searched, from the menu of the account', async () => {
  const { page } = await tests.open({ path: '/account', role: 'viewer' })
  await page.getByRole('button', { name: 'viewer user' }).click()
  await page.getByRole('menuitem', { name: 'Error codes' }).click()
  await page.getByRole('searchbox').fill('guardrail')
  await page.getByRole('link', { name: 'guardrail_violation' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'not_a_sandbox' }).count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('searchbox').fill('no such code')
  await page.getByText('No code matches').waitFor()
  await expectAccessible(page)
})

test('currencies are found by name, from the palette', async () => {
  const { page } = await tests.open({ path: '/account' })
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('currencies')
  await page.getByRole('option', { name: 'Currencies' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('searchbox').fill('yen')
  await page.getByRole('row', { name: /JPY Japanese Yen 0 JPY\s1/ }).waitFor()
  await expectAccessible(page)
})
