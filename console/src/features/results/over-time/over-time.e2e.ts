import { expect } from 'vitest'
import { campaignBody, made, profileOf } from '../../../../../server/test/support/cases/writes.ts'
import type { TestOrganization } from '../../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'

const tests = consoleTests()

const dayMs = 86_400_000
const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
const range = `from=${day(8)}&until=${day(1)}`

async function launched(organization: TestOrganization, platform: string, currency: string) {
  const { owner } = organization
  const name = `${platform} ${currency}`
  const profile = await profileOf(organization, { name, platform, currency })
  const body = { ...campaignBody(profile), currency, daily_budget: 50 }
  const id = await made(owner, '/campaigns', body)
  await owner.post(`/campaigns/${id}/launch`)
  return id
}

/** Two platforms in US dollars, and one campaign in euros. */
async function spending() {
  const organization = await tests.world().organization()
  const { owner } = organization
  const ids = [
    ...[
      await launched(organization, 'google_ads', 'USD'),
      await launched(organization, 'meta', 'USD'),
    ],
    await launched(organization, 'google_ads', 'EUR'),
  ]
  const rows = ids.flatMap((campaign_id, at) =>
    [1, 2, 4, 9].map((ago) => {
      const spend = 10 * (at + 1)
      return { campaign_id, date: day(ago), spend, conversions: 4, is_final: ago > 1 }
    }),
  )
  const reported_at = tests.world().clock.now().toISOString()
  await owner.post('/results', { source: 'google_ads', reported_at, rows })
  return { organization, owner }
}

test('results are drawn over time, and read by keys and as a table', async () => {
  const { organization } = await spending()
  const path = `/results?${range}&chart_currency=USD`
  const { page } = await tests.open({ organization, path })
  await page.getByRole('img', { name: /^Spend by day, USD\. USD.90\.00 in all/ }).waitFor()

  const slider = page.getByRole('slider', { name: /^Spend by day/ })
  const read = () => slider.getAttribute('aria-valuetext')
  await slider.focus()
  await page.keyboard.press('End')
  expect(await read()).toMatch(/: USD.30\.00, provisional/)
  await page.keyboard.press('ArrowLeft')
  expect(await read()).toMatch(/: USD.30\.00$/)
  await page.keyboard.press('ArrowLeft')
  expect(await read()).toMatch(/: no data$/)
  await expectAccessible(page)

  await page.getByText('Spend by day, USD as a table').click()
  const table = page.getByRole('table', { name: 'Spend by day' })
  await table.getByRole('row', { name: /USD.30\.00.*Provisional/ }).waitFor()
  expect(await table.getByRole('row').count()).toBe(9)
  await expectAccessible(page)

  await page.getByLabel('Parts').selectOption('platform')
  await table.getByRole('columnheader', { name: 'Meta' }).waitFor()
  await table
    .getByRole('row', { name: /USD.30\.00.*USD.20\.00.*USD.10\.00/ })
    .first()
    .waitFor()
  await expectAccessible(page)

  await page.getByLabel('Compared with').selectOption('previous_period')
  await page.getByRole('img', { name: /90\.00 in all, USD.30\.00 before: 200% more/ }).waitFor()
  await page.getByLabel('Shown over time').selectOption('cpa')
  await page
    .getByRole('img', { name: /^Cost per conversion by day, USD\. USD.3\.75 in all/ })
    .waitFor()
  await page.getByLabel('Added up').selectOption('month')
  await page.getByRole('table', { name: 'Cost per conversion by month' }).waitFor()
  await page.getByLabel('Shown over time').selectOption('conversions')
  await page.getByLabel('Currency of the chart').selectOption('EUR')
  await page
    .getByRole('img', { name: /^Conversions by month, EUR\. 12 in all, 4 before/ })
    .waitFor()
  await expectAccessible(page)

  await page.getByLabel('Platform', { exact: true }).selectOption('meta')
  await page.getByRole('img', { name: /^Conversions by month, USD\. 12 in all/ }).waitFor()
})

test('the deck shows the month with its plan, and a screen without results says so', async () => {
  const { organization } = await spending()
  const { page } = await tests.open({ organization, path: '/?chart_currency=USD' })
  const plot = page.getByRole('img', { name: /^Spend by day, USD\. .* planned\.$/ })
  await plot.waitFor()
  await page.getByRole('list').getByText('Plan', { exact: true }).waitFor()
  await expectAccessible(page)

  const planned = await tests.world().organization()
  await launched(planned, 'meta', 'EUR')
  const before = await tests.open({ organization: planned, path: '/' })
  await before.page
    .getByRole('img', { name: /^Spend by day, EUR\. No data, EUR.*planned/ })
    .waitFor()

  const empty = await tests.open({ path: '/results' })
  await empty.page
    .getByText('Nothing was reported, and nothing is planned, in these days.')
    .waitFor()
})

test('a chart that cannot be read says so, and tries again', async () => {
  const { organization } = await spending()
  const { page } = await tests.open({ organization, path: '/' })
  await page.getByRole('img', { name: /^Spend by day/ }).waitFor()
  tests.expectComplaint(/503/)
  await page.route(/\/results\?/, (route) => route.fulfill({ status: 503, json: {} }))
  await page.getByLabel('Compared with').selectOption('previous_year')
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute(/\/results\?/)
  await again.click()
  await page.getByRole('img', { name: /^Spend by day/ }).waitFor()
})

test('a chart whose code is not loaded says so beside what is, and loads it when it is asked to', async () => {
  const { organization } = await spending()
  const { page } = await tests.open({ organization, path: '/profiles' })
  tests.expectComplaint(/ERR_CONNECTION_REFUSED/)
  const code = '**/console/assets/*.js'
  await page.route(code, async (route) => {
    const reply = await route.fetch()
    const isChart = (await reply.text()).includes('All platforms as one')
    await (isChart ? route.abort('connectionrefused') : route.fulfill({ response: reply }))
  })
  await page.getByRole('link', { name: 'Results', exact: true }).click()
  await page.getByText('A part of the console could not be loaded').waitFor()
  await page.getByRole('table', { name: 'Results by campaign' }).waitFor()
  await page.unroute(code)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('img', { name: /^Spend by day/ }).waitFor()
})
