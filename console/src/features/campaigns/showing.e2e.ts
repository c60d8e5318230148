import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'
import { campaignsOf, cellOf } from '../../../test/grid.ts'

const tests = consoleTests()
const arabic = 'عروض رمضان – Summer'

test('a time on another clock has its zone beside it, and one’s own has none', async () => {
  const organization = await tests.world().organization()
  const body = { name: arabic, time_zone: 'Asia/Tokyo', start_at: '2030-07-01T00:00:00Z' }
  const [made] = await campaignsOf(organization, [body])
  const { page } = await tests.open({ organization, path: `/campaigns/${made?.id}` })
  const main = page.getByRole('main')
  await main.getByText('Jul 01, 2030, 09:00 Tokyo').first().waitFor()
  const created = main.getByText(/by Olga Owner/).first()
  expect(await created.innerText()).not.toMatch(/UTC|Tokyo/)
  expect(await main.getByRole('heading', { level: 1 }).getAttribute('dir')).toBe('auto')
  await expectAccessible(page)
  await page.goto(`${tests.origin()}/console/campaigns`)
  const name = cellOf(page, arabic, 'name').getByRole('link')
  expect(
    await name.evaluate((link) => link.ownerDocument.defaultView?.getComputedStyle(link).direction),
  ).toBe('rtl')
  await cellOf(page, arabic, 'start_at').getByText('Jul 01, 2030, 09:00 Tokyo').waitFor()
})

test('the plan is shown on the campaign’s clock, and what was done on the reader’s', async () => {
  const organization = await tests.world().organization()
  const body = { name: 'Tokyo', time_zone: 'Asia/Tokyo', end_at: '2030-07-01T00:00:00Z' }
  const [made] = await campaignsOf(organization, [body])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await cellOf(page, 'Tokyo', 'start_at').getByText('At launch').waitFor()
  await organization.owner.post(`/campaigns/${made?.id}/launch`)
  await page.reload()
  await cellOf(page, 'Tokyo', 'start_at')
    .getByText(/^[A-Z].* Tokyo$/)
    .waitFor()
  await page.goto(`${tests.origin()}/console/campaigns/${made?.id}?tab=history&version=2`)
  const changed = page.getByRole('dialog').getByRole('row', { name: /^Launched at/ })
  expect(await changed.innerText()).not.toContain('Tokyo')
  await page.goto(`${tests.origin()}/console/campaigns/${made?.id}?tab=history&version=1`)
  await page
    .getByRole('dialog')
    .getByRole('row', { name: /^End .*09:00 Tokyo/ })
    .waitFor()
})

const foreign = [
  {
    name: 'a page of a gateway',
    status: 502,
    contentType: 'text/html',
    body: '<h1>Bad gateway</h1>',
  },
  { name: 'a bare problem', status: 422, contentType: 'application/problem+json', body: '{}' },
  { name: 'a cut problem', status: 503, contentType: 'application/problem+json', body: '{"ti' },
]

test.each(foreign)('$name leaves the form and what was typed', async ({ name: _, ...answer }) => {
  const organization = await tests.world().organization()
  const [made] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  const path = `/campaigns/${made?.id}?open=edit`
  const { page } = await tests.open({ organization, path })
  tests.expectComplaint(/422|502|503/)
  await page.getByLabel('Notes').fill('Typed with care')
  await page.route('**/api/v1/campaigns/cmp_*', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill(answer),
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').first().waitFor()
  expect(await page.getByLabel('Notes').inputValue()).toBe('Typed with care')
  await page.unroute('**/api/v1/campaigns/cmp_*')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('paragraph').filter({ hasText: 'Typed with care' }).waitFor()
})

test('a mistake is said itself, without a number of its request', async () => {
  const organization = await tests.world().organization()
  const [made] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  const { page } = await tests.open({ organization, path: `/campaigns/${made?.id}?open=edit` })
  tests.expectComplaint(/422/)
  await page.getByLabel('Daily budget').fill('0.5')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const notice = page.getByRole('alert')
  await notice.getByText(/^Daily budget: Must be at least 1 USD/).waitFor()
  expect(await notice.getByText(/^Request/).count()).toBe(0)
})
