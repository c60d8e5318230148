import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { campaignsOf, cellOf, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests()

const editor = (page: Page) => page.getByRole('dialog').locator('input').first()

const typedTwoWays = [
  { currency: 'BHD', typed: '1,500', readings: 'BHD 1.500 or BHD 1,500.000?', clear: '1500' },
  { currency: 'JPY', typed: '20.000', readings: 'JPY 20 or JPY 20,000?', clear: '20,000' },
  { currency: 'USD', typed: '1.500', readings: 'USD 1.50 or USD 1,500.00?', clear: 'USD 1,500' },
]
const begun = { BHD: 10.125, JPY: 5000, USD: 12.5 }

test('a budget that reads two ways is refused in the grid, and the reading stands beside it', async () => {
  const organization = await tests.world().organization()
  const made = await campaignsOf(
    organization,
    Object.entries(begun).map(([name, daily_budget]) => ({ name, currency: name, daily_budget })),
  )
  await organization.owner.post(`/campaigns/${made.at(-1)?.id}/launch`)
  const { page, client } = await tests.open({ organization, path: '/campaigns' })
  for (const { currency, typed, readings, clear } of typedTwoWays) {
    const before = await budgetOf(currency)
    await cellOf(page, currency, 'daily_budget').dblclick()
    await editor(page).fill(typed)
    await page.getByText(readings).waitFor()
    await page.keyboard.press('Enter')
    expect(await editor(page).getAttribute('aria-invalid')).toBe('true')
    expect(await budgetOf(currency)).toBe(before)
    await editor(page).fill(clear)
    await page.getByText(/^= .* a day, was/).waitFor()
    if (currency === 'BHD') {
      await page.getByText('= BHD 1,500.000 a day, was 10.125').waitFor()
      await expectAccessible(page)
    }
    await page.keyboard.press('Enter')
    await editor(page).waitFor({ state: 'detached' })
    expect(await budgetOf(currency)).toBe(currency === 'JPY' ? 20_000 : 1500)
  }

  async function budgetOf(name: string): Promise<unknown> {
    return (await client.get(`/campaigns?q=${name}`)).json().data[0].daily_budget
  }
})

test('a form with an amount that reads two ways is not sent', async () => {
  const organization = await tests.world().organization()
  const [made] = await campaignsOf(organization, [{ name: 'Gulf', currency: 'BHD' }])
  const { page, client } = await tests.open({
    organization,
    path: `/campaigns/${made?.id}?open=edit`,
  })
  await page.getByLabel('Daily budget').fill('1,500')
  await page.getByText('Reads two ways: BHD 1.500 or BHD 1,500.000?').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('input[name=daily_budget]:focus').waitFor()
  await expectAccessible(page)
  const { version } = (await client.get(`/campaigns/${made?.id}`)).json()
  expect(version).toBe(made?.version)
})

test('amounts and percentages of many campaigns read one way, or nothing is tried', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale' }])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Spring sale').waitFor()
  await page.getByLabel('Select all rows that are loaded').click()
  await page.getByRole('button', { name: 'Budget…' }).click()
  const tryOut = page.getByRole('button', { name: 'Try it out' })
  await page.getByLabel('Per cent').fill('1,500')
  await page.getByText('Reads two ways: 1.500 or 1,500?').waitFor()
  expect(await tryOut.getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('Change').selectOption('Set to an amount')
  await page.getByLabel('Amount').fill('1.500')
  await page.getByText('Reads two ways: USD 1.50 or USD 1,500.00?').waitFor()
  expect(await tryOut.getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('Amount').fill('1,500')
  await page.getByText('= USD 1,500.00 a day').waitFor()
})

test('caps of guardrails, profiles and templates read one way', async () => {
  const organization = await tests.world().organization()
  const { page, client } = await tests.open({ organization, path: '/guardrails?open=edit' })
  const caps = page.getByRole('group', { name: 'Most that a campaign may cost in a day' })
  await caps.getByRole('button', { name: 'Add a currency' }).click()
  await caps.getByLabel('Amount in USD').fill('1.500')
  await caps.getByText('Reads two ways').waitFor()
  await page.getByRole('button', { name: 'Save guardrails' }).click()
  await caps.getByLabel('Amount in USD').fill('1,500')
  await caps.getByText('= USD 1,500.00').waitFor()
  expect((await client.get('/organization/guardrails')).json().max_daily_budget).toEqual({})
  await page.goto(`${tests.origin()}/console/profiles?open=new`)
  await page.getByLabel('Currency').selectOption('BHD')
  await page.getByLabel('Daily cap').fill('1,500')
  await page.getByText('Reads two ways: BHD 1.500 or BHD 1,500.000?').waitFor()
  await page.goto(`${tests.origin()}/console/templates?open=new`)
  await page.getByLabel('Daily budget').fill('1,500')
  await page.getByText('Reads two ways: 1.500 or 1,500?').waitFor()
})
