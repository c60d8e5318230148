import { afterAll, afterEach, expect } from 'vitest'
import { report as reportResults } from '../../../../../server/test/support/cases/results.ts'
import { campaignBody, made, profileOf } from '../../../../../server/test/support/cases/writes.ts'
import {
  mailSettings,
  openMailServer,
} from '../../../../../server/test/support/machines/mail/mail-server.ts'
import type { TestOrganization } from '../../../../../server/test/support/world.ts'
import { keepPicture } from '../../../../test/clicks.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'

const server = await openMailServer()
const tests = consoleTests({
  background: true,
  env: { ...mailSettings(server), FLIGHTDECK_PUBLIC_URL: 'http://flightdeck.example.com' },
})
afterEach(() => {
  server.mails.length = 0
  if (tests.world()) Object.assign(tests.world().services, { config: tests.world().config })
})
afterAll(() => server.close())

/** A client with a day of results, and a report of it. */
async function reportOf(organization: TestOrganization): Promise<string> {
  const { owner } = organization
  const fields = { name: 'Northwind', currency: 'USD', time_zone: 'Europe/Berlin' }
  const client_id = await made(owner, '/clients', fields)
  const profile = await profileOf(organization, { name: 'Meta', client_id })
  const body = { ...campaignBody(profile), name: 'Grinders' }
  const campaign_id = await made(owner, '/campaigns', body)
  const date = new Date(tests.world().clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
  await reportResults(owner, { rows: [{ campaign_id, date, spend: 12.5 }] })
  return made(owner, '/reports', { name: 'Northwind, weekly', client_id, period: 'last_7_days' })
}

const weekly = {
  ...{ every: 'week', day: 1, hour: 8 },
  recipients: ['grace@example.com', 'ada@example.com', 'alan@example.com'],
}

const opened = async (fields?: object) => {
  const organization = await tests.world().organization({ name: 'Acme' })
  const id = await reportOf(organization)
  const path = `/reports/${id}/schedules`
  const schedule = fields && (await made(organization.owner, path, { ...weekly, ...fields }))
  return { organization, id, path: `${path}/${schedule}`, tab: `/reports/${id}?tab=schedules` }
}

test('a schedule is made, its mail arrives, and the link opens the snapshot', async () => {
  const { organization, id, tab } = await opened()
  const { page } = await tests.open({ organization, path: tab })
  await page.getByText('No schedules yet').waitFor()
  await page.getByRole('button', { name: 'New schedule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('On the clock of Europe/Berlin').waitFor()
  await dialog.getByLabel('On', { exact: true }).selectOption({ label: 'The last day' })
  await dialog.getByLabel('At', { exact: true }).selectOption({ label: '09:00' })
  await dialog.getByLabel('To', { exact: true }).fill('grace@example.com, ada@example.com')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create schedule' }).click()
  const row = page.getByRole('row', { name: /The last day of each month at 09:00/ })
  await row.getByText('grace@example.com, ada@example.com').waitFor()
  await expectAccessible(page)
  await row.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Send now…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Sent to grace@example.com, ada@example.com').waitFor()
  await expect.poll(() => server.mails.length, { timeout: 10_000 }).toBe(2)
  const [url = ''] = server.mails[0]?.text.match(/http\S+/) ?? []
  await organization.owner.patch(`/reports/${id}`, { name: 'Another name' })
  await page.goto(new URL(new URL(url).pathname, tests.origin()).href)
  await page.getByRole('heading', { level: 1, name: 'Northwind, weekly' }).waitFor()
  await page.getByText('Grinders').waitFor()
  await page.goto(`${tests.origin()}/console/reports/${id}?tab=links`)
  const link = page.getByRole('row', { name: /A snapshot/ })
  await link.getByText('A schedule').waitFor()
})

test('it is edited beside the edits of others, switched off and on, and removed', async () => {
  const { organization, path, tab } = await opened({})
  const { page, client } = await tests.open({ organization, path: tab })
  tests.expectComplaint(/412/)
  const row = page.getByRole('row', { name: /at 0\d:00/ })
  await row.getByText('grace@example.com, ada@example.com and 1 more').waitFor()
  const choose = async (name: string) => {
    await row.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Edit')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('At', { exact: true }).selectOption({ label: '07:00' })
  await dialog.getByRole('button', { name: 'Remove alan@example.com' }).click()
  await client.patch(path, { link_days: 14 })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog
    .getByRole('button', { name: /Keep|Save|mine/ })
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'Keep my edits and go on' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Every Monday at 07:00').waitFor()
  expect((await client.get(path)).json()).toMatchObject({
    ...{ hour: 7, recipients: ['grace@example.com', 'ada@example.com'], link_days: 14 },
  })
  await choose('Switch off…')
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await row.getByText('Off', { exact: true }).waitFor()
  await choose('Switch on…')
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await row.getByText('On', { exact: true }).waitFor()
  await choose('Remove…')
  await dialog.getByRole('button', { name: 'Remove schedule' }).click()
  await page.getByText('No schedules yet').waitFor()
})

test('what cannot be is said at its field', async () => {
  const { organization, tab } = await opened()
  const { page } = await tests.open({ organization, path: `${tab}&open=schedule` })
  tests.expectComplaint(/422/)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('To', { exact: true }).fill('Grace <grace@example.com>')
  await dialog.getByRole('button', { name: 'Create schedule' }).click()
  await expect
    .poll(() => dialog.getByLabel('To', { exact: true }).getAttribute('aria-invalid'))
    .toBe('true')
  await expectAccessible(page)
})

test('without a mail server, and to a viewer, it says what may not be done', async () => {
  const { organization, tab } = await opened({})
  const { config, services } = tests.world()
  Object.assign(services, { config: { ...config, mail: null } })
  const { page } = await tests.open({ organization, path: tab })
  await page.getByText('This service sends no mail.').waitFor()
  const add = page.getByRole('button', { name: 'New schedule' })
  await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true')
  Object.assign(services, { config })
  const { page: seen } = await tests.open({ organization, role: 'viewer', path: tab })
  await seen.getByText(/Every Monday at 08:00/).waitFor()
  const blocked = seen.getByRole('button', { name: 'New schedule' })
  expect(await blocked.getAttribute('aria-disabled')).toBe('true')
})

test.each([
  [390, 'light'],
  [900, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const)('its screens are accessible at %i pixels, %s', async (width, theme) => {
  const { organization, id, path, tab } = await opened({})
  const { owner, ctx } = organization
  const off = await made(owner, `/reports/${id}/schedules`, { ...weekly, every: 'month', day: 31 })
  await owner.patch(`/reports/${id}/schedules/${off}`, { status: 'disabled' })
  const sql = 'update report_schedules set last_error = $3 where organization_id = $1 and id = $2'
  const last_error = 'The service has no mail server: its operator sets one up.'
  const parameters = [organization.id, path.split('/').at(-1), last_error]
  await ctx.services.database.transaction(async (tx) => tx.send({ sql, parameters }))
  const { page } = await tests.open({ organization, width, theme, path: tab })
  await page.getByText('Not sent', { exact: true }).waitFor()
  await keepPicture(page, `schedules-${width}-${theme}`)
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: theme })
  await page.goto(`${tests.origin()}/console${tab}&open=schedule`)
  await page.getByRole('dialog').getByText('On the clock of Europe/Berlin').waitFor()
  await keepPicture(page, `schedule-form-${width}-${theme}`)
  await expectAccessible(page)
})
