import { expect } from 'vitest'
import { newSpending } from '../../../../server/test/support/cases/spending.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'
import { cellOf, rowOf } from '../../../test/grid.ts'

const tests = consoleTests({ background: true })

/** On plan in sum, but for two days of which each was made up for. */
async function uneven() {
  const spending = await newSpending(tests.world(), { profile: { platform: 'google_ads' } })
  const { owner, id, moveTo, report, dateOf, launched } = spending
  await owner.patch(`/campaigns/${id}`, { name: 'Uneven' })
  const rising = await launched({ name: 'Rising' })
  await moveTo(10)
  const days = [0, 250, 50, 100, 250, 0, 50, 100, 100, 100]
  await report({ ...days }, { complete_through: dateOf(9) })
  // 1.13 of what was expected, and 1.25 of the target at the rate of the last seven days.
  const faster = [85, 85, 85, 125, 125, 125, 125, 125, 125, 125]
  await report({ ...faster }, { complete_through: dateOf(9) }, rising)
  return spending
}

const reason = '2 days beyond the allowance'

test('a campaign on plan in sum says why its pacing is over', async () => {
  const { organization, pacing, id } = await uneven()
  expect(await pacing()).toMatchObject({ status: 'over', pacing_index: 1 })

  const { page } = await tests.open({ organization, path: '/pacing' })
  const row = rowOf(page, 'Uneven')
  await row.getByText(reason).waitFor()
  await row.getByText('1.00').waitFor()
  await rowOf(page, 'Rising')
    .getByText(/^Projected at 12\d% of the target$/)
    .waitFor()
  await expectAccessible(page)

  await page.goto(`${tests.origin()}/console/campaigns/${id}?tab=pacing`)
  await page.getByText('more was spent in 2 days than the platform allows itself').waitFor()
  await page.getByText(/That counts through .*, the end of the period/).waitFor()
  const notice = page.getByRole('listitem').filter({ hasText: 'of at most' })
  expect(await notice.count()).toBe(2)
  await page.getByRole('slider', { name: 'Each day, read' }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  const day = 'USD 250.00 spent, provisional, USD 100.00 budget, USD 200.00 allowed at most'
  await page.getByText(new RegExp(`: ${day}$`.replaceAll(' ', '\\s'))).waitFor()
  await page.getByRole('slider', { name: 'Spent so far, read' }).focus()
  await page.keyboard.press('End')
  await page.getByText(/: no data, USD.[\d,.]+ expected$/).waitFor()
  await expectAccessible(page)
})

test('the grid says it by keyboard, too', async () => {
  const { organization } = await uneven()
  const path = '/campaigns?columns=status,pacing'
  const { page } = await tests.open({ organization, path })
  const cell = cellOf(page, 'Uneven', 'pacing')
  await cell.getByText('1.00').waitFor()
  expect(await cell.innerText()).toContain(reason)
  await cellOf(page, 'Uneven', 'status').click()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tooltip').filter({ hasText: reason }).waitFor()
  await expectAccessible(page)
})

test('the deck shows the most severe first, whatever the currency, and leaves out what needs no one', async () => {
  const spending = await newSpending(tests.world(), { profile: { platform: 'google_ads' } })
  const { owner, organization, id, launched, spend, report, moveTo, dateOf } = spending
  await owner.patch(`/campaigns/${id}`, { name: 'Uneven' })
  const { id: profile_id } = (
    await owner.post('/profiles', { name: 'Euros', client: 'Contoso' })
  ).json()
  const fast = await launched({ name: 'Fast', currency: 'EUR', profile_id })
  const slow = await launched({ name: 'Slow' })
  const slower = await launched({ name: 'Slower', currency: 'EUR', profile_id })
  await moveTo(10)
  const days = [0, 250, 50, 100, 250, 0, 50, 100, 100, 100]
  await report({ ...days }, { complete_through: dateOf(9) })
  await spend(10, 150, fast)
  await spend(10, 80, slow)
  await spend(10, 70, slower)
  const { page } = await tests.open({ organization, path: '/' })
  const table = page.getByRole('table', { name: /^Campaigns off their plan/ })
  const names = () => table.locator('tbody tr :is(td, th):first-child').allInnerTexts()
  await expect.poll(names).toEqual(['Fast', 'Slower', 'Slow'])
  await rowOf(page, 'Slower').getByText('Contoso').waitFor()
  await expectAccessible(page)
})
