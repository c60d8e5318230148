import { expect } from 'vitest'
import { madeKey } from '../../../../../server/test/support/api-keys.ts'
import { profileOf } from '../../../../../server/test/support/cases/writes.ts'
import type { Client } from '../../../../../server/test/support/world.ts'
import { askForApproval, campaignOf } from '../../../../test/campaigns.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'

const tests = consoleTests()

const open = async (fields: object = {}) => {
  const organization = await tests.world().organization()
  const campaign = await campaignOf(organization.owner, fields)
  const path = `/campaigns/${campaign.id}`
  const { page } = await tests.open({ organization, path })
  return { organization, campaign, page, path, owner: organization.owner }
}

test('a campaign is launched, paused, resumed and completed', async () => {
  const { page, owner, campaign } = await open()
  await page.getByText('It has not been launched.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Launch…' }).click()
  await page.getByText('It will be active.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Reason').fill('The client agreed')
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.getByText('Delivers now').waitFor()
  const [record] = (await owner.get('/audit_logs?action=campaign.activated')).json().data
  expect(record).toMatchObject({ reason: 'The client agreed', resource: { id: campaign.id } })

  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText('Spring Sale 2026 is paused').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Spring Sale 2026 is resumed').waitFor()
  await page.getByText('Delivers now').waitFor()
  await page.getByRole('button', { name: 'Complete…' }).click()
  await page.getByRole('button', { name: 'Complete', exact: true }).click()
  await page.getByText('Spring Sale 2026 is completed').waitFor()
  expect((await owner.get(`/campaigns/${campaign.id}`)).json().status).toBe('completed')
})

test('an action at once may have a reason too', async () => {
  const { page, owner, campaign } = await open()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Archive with a reason…' }).click()
  await page.getByLabel('Reason').fill('A duplicate')
  await page.getByRole('button', { name: 'Archive', exact: true }).last().click()
  await page.getByText('Spring Sale 2026 is archived').waitFor()
  const [record] = (await owner.get('/audit_logs?action=campaign.archived')).json().data
  expect(record).toMatchObject({ reason: 'A duplicate', resource: { id: campaign.id } })
  await page.getByRole('button', { name: 'Unarchive', exact: true }).click()
  await page.getByText('is back from the archive').waitFor()
})

test('what stands in the way is said in words, and leads to where it can be changed', async () => {
  const { page, owner, campaign } = await open()
  await owner.patch(`/profiles/${campaign.profile_id}`, { status: 'paused' })
  await page.reload()
  const launch = page.getByRole('button', { name: 'Launch…' })
  await expect.poll(() => launch.getAttribute('aria-disabled')).toBe('true')
  await launch.focus()
  await page.getByRole('tooltip').getByText('Its profile is not active.').waitFor()
  await expectAccessible(page)
})

test('a guardrail refuses a launch until an owner gives a reason', async () => {
  const { page, owner, campaign } = await open()
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 20 } })
  await page.getByRole('button', { name: 'Launch…' }).click()
  await page.getByText('Max daily budget: 33.51 USD exceeds 20.').waitFor()
  tests.expectComplaint(/422/)
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.getByLabel('Why it may be exceeded').fill('Agreed with finance')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.getByText('Delivers now').waitFor()
  const [record] = (await owner.get('/audit_logs?action=campaign.activated')).json().data
  expect(record).toMatchObject({ reason: 'Agreed with finance', resource: { id: campaign.id } })
})

test('a draft is deleted, with its name in the question', async () => {
  const { page, owner, campaign } = await open()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('heading', { name: 'Delete Spring Sale 2026?' }).waitFor()
  await page.getByRole('button', { name: 'Delete campaign' }).click()
  await page.getByText('Spring Sale 2026 is deleted').waitFor()
  expect((await owner.get(`/campaigns/${campaign.id}`)).statusCode).toBe(404)
})

test('a viewer reads a campaign, and each control says why it is not for them', async () => {
  const { organization, path } = await open()
  const { page } = await tests.open({ organization, path, role: 'viewer' })
  for (const name of ['Launch…', 'Archive', 'Edit']) {
    const button = page.getByRole('button', { name, exact: true })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
  }
  await page.getByRole('button', { name: 'Launch…' }).focus()
  await page.getByRole('tooltip').getByText('Your role does not allow it.').waitFor()
  await expectAccessible(page)
})

test('a scheduled campaign is unscheduled, and a submission withdrawn', async () => {
  const { page, owner } = await open({ start_at: '2028-03-01T09:00:00Z' })
  await page.getByRole('button', { name: 'Launch…' }).click()
  await page.getByText('It will be scheduled.').waitFor()
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.getByText('Its start is still ahead.').waitFor()
  await page.getByRole('button', { name: 'Unschedule…' }).click()
  await page.getByRole('button', { name: 'Unschedule', exact: true }).click()
  await page.getByText('Spring Sale 2026 is unscheduled').waitFor()
  await askForApproval(owner)
  await page.reload()
  await page.getByRole('button', { name: 'Submit…' }).click()
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await page.getByText('Waits for approval', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await page.getByText('Spring Sale 2026 is withdrawn').waitFor()
  await page.getByText('It has not been launched.').waitFor()
})

/** A connector that holds the account of the campaign, and reports what its network holds. */
async function reported(campaign: { id: string }, owner: Client, observed: object) {
  const deployment = await owner.put(`/campaigns/${campaign.id}/deployment`, { mode: 'create' })
  const { client } = await madeKey(tests.world(), owner, { role: 'connector' })
  const about = { adapter: 'sim', adapter_version: '1.0.0', platform: 'google_ads' }
  const body = { instance: 'one', ...about, api_version: 'v25', ttl_seconds: 60 }
  const { lease_id, fence } = (await client.post('/connector/leases', body)).json()
  const outcome = { outcome: 'applied', network_object_id: '218', observed }
  const report = { deployment_id: deployment.json().id, generation: 1, ...outcome }
  const reply = await client.post('/connector/reports', { lease_id, fence, reports: [report] })
  expect(reply.json().results).toMatchObject([{ state: 'drifted' }])
}

test('what its network changed is said, without calling it delivered as planned', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const profile = await profileOf(organization, { platform: 'google_ads' })
  const campaign = await campaignOf(owner, { profile_id: profile })
  await owner.post(`/campaigns/${campaign.id}/launch`)
  await reported(campaign, owner, { run: 'paused' })
  const { page } = await tests.open({ organization, path: `/campaigns/${campaign.id}` })
  await page.getByText('May deliver').waitFor()
  await page.getByText('It was changed in its network.').waitFor()
  await page.getByText('Drifted: Status (218)').waitFor()
  await expectAccessible(page)
  const screens = page.getByRole('navigation', { name: 'Screens' })
  await screens.getByRole('link', { name: 'Events' }).click()
  await page.getByText('Spring Sale 2026').first().waitFor()
  expect(await page.getByText('dpl_').count()).toBe(0)
})
