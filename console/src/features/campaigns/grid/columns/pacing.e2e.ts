import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { newSpending } from '../../../../../../server/test/support/cases/spending.ts'
import { consoleTests, expectAccessible, test } from '../../../../../test/console.ts'
import { cellOf, rowOf } from '../../../../../test/grid.ts'

const tests = consoleTests({ background: true })

/** Ten days of a month: on plan, critical, under, silent, and a draft. */
async function spending() {
  const { organization, owner, profile_id, id, launched, spend, report, moveTo } =
    await newSpending(tests.world())
  await owner.patch(`/campaigns/${id}`, { name: 'On plan' })
  const fast = await launched({ name: 'Too fast' })
  const slow = await launched({ name: 'Too slow' })
  await launched({ name: 'Silent' })
  const draft = { name: 'Not launched', objective: 'sales', profile_id, currency: 'USD' }
  await owner.post('/campaigns', { ...draft, daily_budget: 50 })
  await moveTo(10)
  await spend(10, 100)
  await spend(10, 200, fast)
  await spend(10, 60, slow)
  return { organization, report, slow }
}

function pacingRequests(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === '/api/v1/pacing') paths.push(request.url())
  })
  return paths
}

const grid = (page: Page) => page.getByRole('main').getByRole('grid')
const names = (page: Page) => grid(page).getByRole('link').allInnerTexts()

test('spend and pacing stand beside the budgets, and change as results arrive', async () => {
  const { organization, report, slow } = await spending()
  const { page } = await tests.open({ organization, path: '/campaigns' })
  const requests = pacingRequests(page)
  await cellOf(page, 'Too fast', 'delivery').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  expect(requests).toEqual([])
  await page.getByRole('button', { name: 'Budget and pacing' }).click()
  await page.keyboard.press('Escape')

  await cellOf(page, 'Too fast', 'spend').getByText('USD 2,000.00').waitFor()
  await cellOf(page, 'Too fast', 'pacing').getByText('2.00').waitFor()
  await cellOf(page, 'Too fast', 'pacing').getByText('Critical').waitFor()
  await cellOf(page, 'On plan', 'pacing').getByText('On track').waitFor()
  await cellOf(page, 'On plan', 'at_risk').getByText('USD 0.00').waitFor()
  await cellOf(page, 'Silent', 'spend').getByText('No data').waitFor()
  await cellOf(page, 'Not launched', 'pacing').getByText('–').waitFor()
  expect(requests).toHaveLength(1)
  await expectAccessible(page)

  await cellOf(page, 'Too slow', 'pacing').getByText('Under').waitFor()
  const days = Array.from({ length: 10 }, (_, day) => [day, 100] as const)
  await report(Object.fromEntries(days), {}, slow)
  await cellOf(page, 'Too slow', 'pacing').getByText('On track').waitFor()
  await cellOf(page, 'Too slow', 'spend').getByText('USD 1,000.00').waitFor()
})

test('the service filters by pacing, and sorts by the money at risk', async () => {
  const { organization, report, slow } = await spending()
  const columns = 'columns=status,pacing,at_risk'
  const { page } = await tests.open({ organization, path: `/campaigns?${columns}` })
  await cellOf(page, 'Too fast', 'pacing').getByText('Critical').waitFor()
  await grid(page).getByRole('button', { name: 'At risk' }).click()
  await expect
    .poll(async () => (await names(page)).slice(0, 3))
    .toEqual(['Too fast', 'Too slow', 'On plan'])
  expect(new URL(page.url()).searchParams.get('sort')).toBe('-money_at_risk')

  const filters = page.getByRole('main').getByRole('search')
  await filters.getByRole('button', { name: 'Pacing', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Under' }).check()
  await rowOf(page, 'Too fast').waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Critical' }).check()
  await page.keyboard.press('Escape')
  await expect.poll(() => names(page)).toEqual(['Too fast', 'Too slow'])
  await expectAccessible(page)

  // Rows move by themselves while no one points at them or has the focus among them.
  await page.mouse.move(0, 0)
  await page.getByLabel('Search campaigns').focus()
  const days = Array.from({ length: 10 }, (_, day) => [day, 100] as const)
  await report(Object.fromEntries(days), {}, slow)
  await expect.poll(() => names(page)).toEqual(['Too fast'])
})

test('a viewer reads pacing, too', async () => {
  const { organization } = await spending()
  const path = '/campaigns?preset=budget'
  const { page } = await tests.open({ organization, role: 'viewer', path })
  // By the end of a month, whichever it is.
  await cellOf(page, 'Too fast', 'projected')
    .getByText(/[56],\d00\.00/)
    .waitFor()
})
