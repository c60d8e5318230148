import { expect } from 'vitest'
import { newSpending } from '../../../../../server/test/support/cases/spending.ts'
import { countIn, keepPicture, press } from '../../../../test/clicks.ts'
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

test('the columns of performance say what is off its target', async () => {
  const { organization } = await performing()
  const path = '/campaigns?preset=performance'
  const { page } = await tests.open({ organization, path })
  await cellOf(page, 'Dear', 'performance').getByText('CPA USD 30.00').waitFor()
  await cellOf(page, 'Cheap', 'performance').getByText('On target').waitFor()
  await cellOf(page, 'Cheap', 'metric_cpa').getByText('USD 15.00').waitFor()
  await cellOf(page, 'Dear', 'metric_spend').getByText('USD 420.00').waitFor()
  await expectAccessible(page)
})

test('from the deck it takes eight clicks, another person approves it, and there is a way back', async () => {
  const { organization, owner, id } = await performing()
  await owner.put('/organization/guardrails', { change_sets: { approval: 'always' } })
  const editor = await organization.as('editor')
  const { page } = await tests.open({ organization, client: editor })
  const click = countIn(page)
  await click.screen('Campaigns')
  await click.button('Performance')
  await click.check('Off target')
  await page.keyboard.press('Escape')
  await rowOf(page, 'Cheap').waitFor({ state: 'detached' })
  await click.check('Select all rows that are loaded')
  await click.button('Budget…')
  await click.select('Change', 'Lower by per cent')
  await page.getByLabel('Per cent').fill('20')
  await click.button('Try it out')
  await page.getByText('1 will change.').waitFor()
  await click.button('Propose as a change set')
  await page.waitForURL('**/change-sets/**')
  await page.getByText('USD 80.00').first().waitFor()
  expect(click.made()).toBeLessThanOrEqual(8)
  await keepPicture(page, 'job-5-proposed')
  const path = new URL(page.url()).pathname.replace('/console', '')
  const other = (await tests.open({ organization, path })).page
  const decide = async (verb: string) => {
    await other.getByRole('main').getByRole('button', { name: verb, exact: true }).click()
    await other.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click()
    await other.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await decide('Approve')
  await decide('Apply')
  const budget = async () => (await owner.get(`/campaigns/${id}`)).json().daily_budget
  await expect.poll(budget).toBe(80)
  await other.getByRole('button', { name: 'Undo…' }).click()
  await other.getByRole('heading', { name: /^Undo /, level: 1 }).waitFor()
  await other.getByText('USD 100.00').first().waitFor()
})

test('the same by keyboard', async () => {
  const { organization } = await performing()
  const { page } = await tests.open({ organization })
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await press(page, 'button', 'Performance')
  await press(page, 'checkbox', 'Off target')
  await page.keyboard.press('Escape')
  await rowOf(page, 'Cheap').waitFor({ state: 'detached' })
  await press(page, 'checkbox', 'Select all rows that are loaded')
  await press(page, 'button', 'Budget…')
  await page.getByLabel('Change').focus()
  await page.keyboard.type('Lower by per cent')
  await page.getByLabel('Per cent').focus()
  await page.keyboard.type('20')
  await press(page, 'button', 'Try it out')
  await page.getByText('1 will change.').waitFor()
  await press(page, 'button', 'Propose as a change set')
  await page.waitForURL('**/change-sets/**')
  await page.getByText('USD 80.00').first().waitFor()
})

test('campaigns are found by what they cost in the last days, and sorted by it', async () => {
  const { organization } = await performing()
  const path = '/campaigns?preset=performance&currency=USD&metric.cpa_min=20&metric_window=14d'
  const { page } = await tests.open({ organization, path })
  await rowOf(page, 'Dear').waitFor()
  expect(await rowOf(page, 'Cheap').count()).toBe(0)
  await page.getByRole('button', { name: 'Remove the filter CPA from 20' }).click()
  await rowOf(page, 'Cheap').waitFor()
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Cost or return').selectOption('ROAS')
  await page.getByLabel('Cost or return').selectOption('Spend')
  await page.getByLabel('Spend to', { exact: true }).fill('300')
  await rowOf(page, 'Dear').waitFor({ state: 'detached' })
  await page.getByLabel('Cost or return').selectOption('Conversions')
  await page.getByLabel('Conversions from').fill('100')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove the filter Conversions from 100' }).click()
  await rowOf(page, 'Cheap').waitFor()
  await page.getByRole('button', { name: 'Remove the filter Spend to 300' }).click()
  await rowOf(page, 'Dear').waitFor()
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
