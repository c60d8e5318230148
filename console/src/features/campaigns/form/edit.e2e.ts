import { expect } from 'vitest'
import { password } from '../../../../../server/test/support/world.ts'
import { campaignOf } from '../../../../test/campaigns.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'

const tests = consoleTests()

const open = async (fields: object = {}) => {
  const organization = await tests.world().organization()
  const campaign = await campaignOf(organization.owner, fields)
  const path = `/campaigns/${campaign.id}?open=edit`
  const { page } = await tests.open({ organization, path })
  return { organization, campaign, page, owner: organization.owner }
}

test('only what was edited is sent, and what the status fixes is shown as fixed', async () => {
  const { page, owner, campaign } = await open({ metadata: { crm_id: '1', old: 'x' } })
  await owner.post(`/campaigns/${campaign.id}/launch`)
  await page.getByText('Cannot be changed while it is active.').first().waitFor()
  expect(await page.getByLabel('Profile').isDisabled()).toBe(true)
  await page.getByLabel('Daily budget').fill('40.50')
  await page.getByRole('button', { name: 'Remove old' }).click()
  await page.getByLabel('Reason').fill('As agreed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('USD 40.50', { exact: true }).waitFor()
  const [record] = (await owner.get('/audit_logs?action=campaign.updated')).json().data
  const changed = record.changes.map(({ field }: { field: string }) => field).sort()
  expect(changed).toEqual(['daily_budget', 'daily_budget_minor', 'metadata'])
})

test('edits made meanwhile by another person are shown beside one’s own', async () => {
  const { page, owner, organization, campaign } = await open()
  tests.expectComplaint(/412/)
  await page.getByLabel('Name').fill('Spring Sale, extended')
  const admin = await organization.as('admin')
  await admin.patch(`/campaigns/${campaign.id}`, { name: 'Easter Sale', notes: 'New name' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('admin user changed this meanwhile.').waitFor()
  await page.getByRole('cell', { name: 'Easter Sale' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Keep my edits and go on' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Spring Sale, extended', level: 1 }).waitFor()
  expect((await owner.get(`/campaigns/${campaign.id}`)).json().notes).toBe('New name')
})

test('a guardrail is named before one saves, and is exceeded with a reason', async () => {
  const { page, owner, campaign } = await open()
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 100 } })
  tests.expectComplaint(/422/)
  await page.getByLabel('Daily budget').fill('150')
  await page.getByText('max_daily_budget: 150 USD exceeds 100.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Why it may be exceeded').fill('Approved by finance')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('USD 150.00', { exact: true }).waitFor()
  expect((await owner.get(`/campaigns/${campaign.id}`)).json().daily_budget).toBe(150)
})

test('a session that ends in the middle of an edit loses nothing that was typed', async () => {
  const { page, owner, campaign } = await open()
  tests.expectComplaint(/401/)
  await page.getByLabel('Name').fill('Typed before the end')
  await owner.delete('/auth/logout?all=true')
  // The trial of what was typed may hear of the end first, and its dialog then covers the button.
  await page.getByRole('button', { name: 'Save' }).dispatchEvent('click')
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' })
  expect(await page.getByLabel('Name').inputValue()).toBe('Typed before the end')
  await page.getByRole('button', { name: 'Save' }).click()
  const heading = page.getByRole('heading', { name: 'Typed before the end', level: 1 })
  await heading.waitFor()
  expect(campaign.name).toBe('Spring Sale 2026')
})

test('a service that goes away and comes back finds the edit where it was', async () => {
  const { page } = await open()
  tests.expectComplaint(/ERR_CONNECTION|ERR_EMPTY|ERR_NETWORK|Failed to load|503/)
  await page.getByLabel('Name').fill('Typed while it was away')
  const { server } = tests.world().app
  const { port } = new URL(tests.origin())
  server.close()
  server.closeAllConnections()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The service cannot be reached').waitFor()
  await page.getByText('Not connected').waitFor()
  await new Promise<void>((listening) => server.listen(Number(port), '127.0.0.1', listening))
  await page.getByText('Not connected').waitFor({ state: 'detached', timeout: 30_000 })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Typed while it was away', level: 1 }).waitFor()
})
