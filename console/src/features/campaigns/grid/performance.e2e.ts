import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { newSpending } from '../../../../../server/test/support/cases/spending.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { cellOf, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests({ background: true })

const target = { metric: 'cpa', value: 20 }

/** The ninth day of a month: a campaign that is off its target, and one that is on it. */
async function performing() {
  const spending = await newSpending(tests.world(), { campaign: { target, name: 'Dear' } })
  const { owner, id, launched, moveTo, dateOf, timeOf } = spending
  const cheap = await launched({ target, name: 'Cheap' })
  await moveTo(8)
  const rowsOf = (campaign_id: string, spend: number) =>
    Array.from({ length: 8 }, (_, day) => ({
      ...{ campaign_id, spend, conversions: 2, date: dateOf(day) },
    }))
  const rows = [...rowsOf(id, 60), ...rowsOf(cheap, 30)]
  await owner.post('/results', { source: 'google_ads', reported_at: timeOf(8), rows })
  await expect
    .poll(async () => (await owner.get('/campaigns?target_status=off_target')).json().data.length)
    .toBe(1)
  return spending
}

/** Counts what is clicked or chosen, as a person would. */
function counting(page: Page) {
  let clicks = 0
  return {
    click: async (name: string | RegExp, role: 'button' | 'checkbox' = 'button') => {
      clicks += 1
      await page.getByRole(role, { name }).first().click()
    },
    choose: async (label: string, option: string) => {
      clicks += 1
      await page.getByLabel(label).selectOption(option)
    },
    count: () => clicks,
  }
}

test('what is off its target is found, and a lower budget proposed, in eight clicks', async () => {
  const { organization } = await performing()
  const path = '/campaigns?preset=performance'
  const { page } = await tests.open({ organization, path })
  await cellOf(page, 'Dear', 'performance').getByText('CPA USD 30.00').waitFor()
  await cellOf(page, 'Cheap', 'performance').getByText('On target').waitFor()
  await cellOf(page, 'Cheap', 'metric_cpa').getByText('USD 15.00').waitFor()
  await cellOf(page, 'Dear', 'metric_spend').getByText('USD 420.00').waitFor()
  await expectAccessible(page)
  const { click, choose, count } = counting(page)
  await click('Performance')
  await click('Off target', 'checkbox')
  await page.keyboard.press('Escape')
  await rowOf(page, 'Cheap').waitFor({ state: 'detached' })
  await click('Select all rows that are loaded', 'checkbox')
  await click('Budget…')
  await choose('Change', 'Lower by per cent')
  await page.getByLabel('Per cent').fill('20')
  await click('Try it out')
  await page.getByText('1 will change.').waitFor()
  await click('Propose as a change set')
  await page.waitForURL('**/change-sets/**')
  await page.getByText('USD 80.00').first().waitFor()
  expect(count()).toBeLessThanOrEqual(8)
})

test('campaigns are found by what they cost in the last days, and sorted by it', async () => {
  const { organization } = await performing()
  const path = '/campaigns?preset=performance&currency=USD&metric.cpa_min=20&metric_window=14d'
  const { page } = await tests.open({ organization, path })
  await rowOf(page, 'Dear').waitFor()
  expect(await rowOf(page, 'Cheap').count()).toBe(0)
  await page.getByRole('button', { name: 'Remove the filter CPA from 20' }).click()
  await rowOf(page, 'Cheap').waitFor()
  await page.getByRole('grid').getByRole('button', { name: 'CPA' }).click()
  await page.waitForURL('**sort=-cpa**')
  const names = page.getByRole('grid').getByRole('link', { name: /^(Dear|Cheap)$/ })
  await expect.poll(() => names.allInnerTexts()).toEqual(['Dear', 'Cheap'])
})

test('a target is set in the form, and stands on the page', async () => {
  const { organization, id, owner } = await performing()
  const { page } = await tests.open({ organization, path: `/campaigns/${id}` })
  await page.getByText('CPA at most USD 20.00 in 7 days').waitFor()
  await page.getByText('Off target').waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('CPA at most').fill('25.5')
  await page.getByLabel('Over days').fill('91')
  tests.expectComplaint(/422/)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Must be at most 90.', { exact: true }).waitFor()
  await page.getByLabel('Over days').fill('14')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('CPA at most USD 25.50 in 14 days').waitFor()
  const { target: stored } = (await owner.get(`/campaigns/${id}`)).json()
  expect(stored).toEqual({ metric: 'cpa', value: 25.5, window_days: 14 })
})
