import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { newSpending } from '../../../../../../server/test/support/cases/spending.ts'
import { consoleTests, expectAccessible, test } from '../../../../../test/console.ts'
import { cellOf } from '../../../../../test/grid.ts'

const tests = consoleTests({ background: true })

/** The sixteenth day of a month, with a report of some of the days before. */
async function reported() {
  const spending = await newSpending(tests.world())
  const { owner, id, launched, report, moveTo } = spending
  await owner.patch(`/campaigns/${id}`, { name: 'Reported' })
  await launched({ name: 'Silent' })
  await moveTo(15)
  const row = (day: number, spend: number, more: object = {}) => ({
    campaign_id: id,
    date: spending.dateOf(day),
    spend,
    is_final: true,
    ...more,
  })
  const rows = [
    ...[row(1, 999), row(2, 100), row(3, 300, { adjustment: -50 }), row(4, 0)],
    ...[row(5, 200.5), row(13, 80, { is_final: false }), row(14, 40, { is_final: false })],
  ]
  await report({}, { rows })
  return spending
}

const daysOf = (page: Page, name: string) => cellOf(page, name, 'last_days')

const textOf = (page: Page, name: string) =>
  daysOf(page, name)
    .getByRole('img')
    .getAttribute('aria-label')
    .then((text) => text?.replaceAll('\u00a0', ' '))

const expectText = (page: Page, name: string, text: RegExp) =>
  expect.poll(() => textOf(page, name)).toMatch(text)

function resultRequests(page: Page): URL[] {
  const urls: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/v1/results') urls.push(url)
  })
  return urls
}

test('the last 14 days are drawn, in words too, and change as results arrive', async () => {
  const { organization, report, moveTo } = await reported()
  const { page } = await tests.open({ organization, path: '/campaigns?preset=schedule' })
  const requests = resultRequests(page)
  await cellOf(page, 'Reported', 'delivery').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  expect(requests).toEqual([])
  await page.getByRole('checkbox', { name: 'Last 14 days' }).check()
  await page.keyboard.press('Escape')

  await expectText(
    page,
    'Reported',
    /^USD 670\.50 in 14 days; USD 40\.00 on \w+ 15, the last day with data; 2 days provisional; 8 days without data$/,
  )
  await daysOf(page, 'Silent').getByText('No data').waitFor()
  // Bars of final days, outlines of provisional ones, and dots.
  expect(await daysOf(page, 'Reported').locator('path').count()).toBe(3)
  expect(requests.map(({ searchParams }) => searchParams.getAll('campaign_id').length)).toEqual([2])
  await expectAccessible(page)

  await tests.untilLive(page)
  await report({ 6: 10, 15: 20 })
  await expectText(page, 'Reported', /^USD 700\.50 .* USD 20\.00 on .* 4 days provisional; 6 days/)
  await moveTo(16)
  await expectText(
    page,
    'Reported',
    /^USD 600\.50 in 14 days; USD 20\.00 on .* 4 days provisional; 7 days/,
  )
})

test('each row has the days of its own time zone', async () => {
  const { organization, launched, report, moveTo } = await newSpending(tests.world())
  const zones = { East: 'Pacific/Kiritimati', West: 'Pacific/Pago_Pago' }
  const east = await launched({ name: 'East', time_zone: zones.East })
  const west = await launched({ name: 'West', time_zone: zones.West })
  // Noon in UTC: the next day in the east; at half past ten it is still the day before in the west.
  await moveTo(20 + 10.5 / 24)
  const first = { 5: 1, 6: 2, 7: 4, 8: 8, 19: 16, 20: 32 }
  await report({ ...first, 21: 64 }, {}, east)
  await report({ ...first, 20: 0 }, {}, west)
  await report({ 6: 2, 19: 16 }, { restate: true }, west)
  const { page } = await tests.open({ organization, path: '/campaigns?columns=last_days' })
  await expectText(page, 'East', /^USD 120\.00 in 14 days; USD 64\.00 on \w+ 22/)
  await expectText(page, 'West', /^USD 30\.00 in 14 days; USD 16\.00 on \w+ 20/)
})

test('a viewer sees them with the columns of budgets, and the keyboard says them', async () => {
  const { organization } = await reported()
  const path = '/campaigns?preset=budget'
  const { page } = await tests.open({ organization, role: 'viewer', path })
  await expectText(page, 'Reported', /^USD 670\.50 in 14 days/)
  await page.goto(`${tests.origin()}/console/campaigns?columns=status,last_days`)
  await expectText(page, 'Reported', /^USD 670\.50 in 14 days/)
  await cellOf(page, 'Reported', 'name').getByRole('link').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.locator(':focus').getAttribute('data-column')).toBe('last_days')
  await page.getByRole('tooltip').getByText('in 14 days').waitFor()
})
