import { expect } from 'vitest'
import { report as reportResults } from '../../../../server/test/support/cases/results.ts'
import { campaignBody, made, profileOf } from '../../../../server/test/support/cases/writes.ts'
import type { TestOrganization } from '../../../../server/test/support/world.ts'
import { keepPicture } from '../../../test/clicks.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

const dayAt = (days: number): string =>
  new Date(tests.world().clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)

/** A client with some days of results, and a report of it. */
async function reportOf(organization: TestOrganization, fields: object = {}) {
  const { owner } = organization
  const client_id = await made(owner, '/clients', { name: 'Northwind', currency: 'USD' })
  const profile = await profileOf(organization, { name: 'Northwind Meta', client_id })
  const campaign_id = await made(owner, '/campaigns', {
    ...campaignBody(profile),
    name: 'Grinders',
  })
  const rows = [3, 4, 5, 6].map((day) => ({
    ...{ campaign_id, date: dayAt(-day), spend: 12.5 + day, clicks: 40, impressions: 1_000 },
    ...{ conversions: 2 },
  }))
  await reportResults(owner, { rows })
  const body = { name: 'Northwind, weekly', client_id, period: 'last_7_days', ...fields }
  return { client_id, id: await made(owner, '/reports', body) }
}

test('a report is made of a client, edited beside its page, and kept', async () => {
  const organization = await tests.world().organization()
  const { client_id } = await reportOf(organization)
  const { page, client } = await tests.open({ organization, path: '/reports' })
  await page.getByRole('link', { name: 'Northwind, weekly' }).waitFor()
  await page.getByRole('button', { name: 'New report' }).click()
  await page.getByRole('dialog').getByLabel('Client').fill('north')
  await page.getByRole('option', { name: /Northwind/ }).click()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Northwind, monthly')
  await page.getByRole('button', { name: 'Create report' }).click()
  await page.getByRole('heading', { name: 'What comes next' }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  const preview = page.getByRole('region', { name: 'Its page' })
  await preview.getByRole('heading', { name: 'By day' }).waitFor()
  await page.getByLabel('Period', { exact: true }).selectOption('last_7_days')
  await preview
    .getByText(/37\.50|USD/)
    .first()
    .waitFor()
  await page.getByLabel('Headline (optional)').fill('A good week.')
  await page.getByRole('checkbox', { name: 'By platform' }).uncheck()
  await page.getByRole('button', { name: 'Move Notes up' }).click()
  await page.getByLabel('Notes (optional)').fill('- one\n- two')
  await preview.getByText('A good week.').waitFor()
  await preview.getByRole('listitem').first().waitFor()
  await expect.poll(() => preview.getByRole('heading', { name: 'By platform' }).count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Northwind, monthly is saved').waitFor()
  await page.getByText('A good week.').waitFor()
  const { data } = (await client.get(`/reports?client_id=${client_id}&q=monthly`)).json()
  expect(data[0]).toMatchObject({
    period: 'last_7_days',
    compare: 'previous_period',
    texts: { headline: 'A good week.', notes: '- one\n- two' },
  })
  expect(data[0].sections.slice(-2)).toEqual(['notes', 'by_campaign'])
  expect(data[0].sections).not.toContain('by_platform')
})

test('what cannot be is said at its field, and the page stays', async () => {
  const organization = await tests.world().organization()
  const { id } = await reportOf(organization)
  const { page } = await tests.open({ organization, path: `/reports/${id}?open=edit` })
  tests.expectComplaint(/422/)
  await page.getByRole('region', { name: 'Its page' }).getByText('Grinders').waitFor()
  await page.getByLabel('Name').fill('')
  await page.getByText('Something has to be corrected').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
  await page.getByRole('region', { name: 'Its page' }).getByText('Grinders').waitFor()
  await page.getByLabel('About').selectOption('filter')
  await page.getByLabel('Labels (optional)').fill('nothing has it')
  await page.getByLabel('Name').fill('Filtered')
  await expect
    .poll(() => page.getByRole('region', { name: 'Its page' }).getByText('Grinders').count())
    .toBe(0)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Filtered is saved').waitFor()
  const stored = (await organization.owner.get(`/reports/${id}`)).json()
  expect(stored).toMatchObject({ client_id: null, filter: { label: ['nothing has it'] } })
})

test('is frozen, linked to, and both end', async () => {
  const organization = await tests.world().organization()
  const { id } = await reportOf(organization)
  const { page } = await tests.open({ organization, path: `/reports/${id}` })
  await page.getByText('Grinders').waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Freeze…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Freeze' }).click()
  await page.getByRole('table', { name: 'Snapshots of Northwind, weekly' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByText('As it was frozen at').waitFor()
  await page.getByText('Grinders').waitFor()
  await page.getByRole('button', { name: 'Link to it…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Shows').getByText('As it was frozen').waitFor({ state: 'attached' })
  await expect.poll(() => dialog.getByLabel('Shows').inputValue()).toMatch(/^rps_/)
  await dialog.getByLabel('Password').fill('a long secret')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const url = await dialog.getByText(/\/r\/[\w-]{43}$/).innerText()
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  const opened = await fetch(new URL(new URL(url).pathname, tests.origin()))
  expect(await opened.text()).toContain('This report has a password')
  await page.getByRole('link', { name: 'Links' }).click()
  const row = page.getByRole('row', { name: /A snapshot/ })
  await row.getByText('Yes').waitFor()
  await row.getByRole('button', { name: 'End…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End link' }).click()
  await page.getByText('No links yet').waitFor()
  await page.getByRole('link', { name: 'Snapshots' }).click()
  await page.getByRole('table').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete snapshot' }).click()
  await page.getByText('No snapshots yet').waitFor()
})

test('its figures are saved as CSV, of now and of a snapshot', async () => {
  const organization = await tests.world().organization()
  const { id } = await reportOf(organization)
  await made(organization.owner, `/reports/${id}/snapshots`, {})
  const { page } = await tests.open({ organization, path: `/reports/${id}` })
  const save = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Save the figures as CSV' }).click(),
    ])
    return file.suggestedFilename()
  }
  await page.getByRole('button', { name: 'More' }).click()
  expect(await save()).toMatch(/^report_rpt_.*\.csv$/)
  await page.getByRole('link', { name: 'Snapshots' }).click()
  await page.getByRole('table').getByRole('button', { name: 'More' }).click()
  expect(await save()).toMatch(/^report_rpt_.*\.csv$/)
})

test.each(['light', 'dark'] as const)(
  'on paper, from a %s screen, there is only its page',
  async (theme) => {
    const organization = await tests.world().organization()
    const { id } = await reportOf(organization)
    const { page } = await tests.open({ organization, theme, path: `/reports/${id}` })
    await page.getByText('Grinders').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('heading', { level: 1 }).filter({ visible: true }).count()).toBe(1)
    for (const format of ['A4', 'Letter'] as const) {
      const pdf = await page.pdf({ format })
      expect(pdf.length).toBeGreaterThan(5_000)
    }
  },
)

test('a viewer reads, and sees what it may not do', async () => {
  const organization = await tests.world().organization()
  const { id } = await reportOf(organization)
  const { page } = await tests.open({ organization, role: 'viewer', path: `/reports/${id}` })
  await page.getByText('Grinders').waitFor()
  for (const name of ['Link…', 'Edit']) {
    const button = page.getByRole('button', { name })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
  }
})

test.each([390, 1280, 1920])('its screens are accessible at %i pixels', async (width) => {
  const organization = await tests.world().organization()
  const { id } = await reportOf(organization)
  const { page } = await tests.open({ organization, width, path: '/reports' })
  await page.getByRole('link', { name: 'Northwind, weekly' }).waitFor()
  await expectAccessible(page)
  for (const search of ['', '?tab=links', '?open=edit', '?open=link', '?open=new']) {
    await page.goto(
      `${tests.origin()}/console/reports${search === '?open=new' ? '' : `/${id}`}${search}`,
    )
    await page.locator('main h1').first().waitFor()
    if (/open=(?:link|new)/.test(search)) await page.getByRole('dialog').waitFor()
    if (search === '?tab=links') await page.getByText('No links yet').waitFor()
    if (search === '' || search === '?open=edit') await page.getByText('Grinders').waitFor()
    await expectAccessible(page)
    await keepPicture(page, `report-${width}${search.replace(/\W/g, '-')}`)
  }
})

test('a report that is deleted leaves its list', async () => {
  const organization = await tests.world().organization()
  const { id } = await reportOf(organization)
  const { page } = await tests.open({ organization, path: `/reports/${id}?open=delete` })
  await page.getByRole('dialog').getByRole('button', { name: 'Delete report' }).click()
  await page.getByText('No reports yet').waitFor()
})
