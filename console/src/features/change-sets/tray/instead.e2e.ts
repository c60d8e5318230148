import { expect } from 'vitest'
import { campaignOf } from '../../../../test/campaigns.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { campaignsOf, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests()

/** An organization whose people raise and start by change sets only. */
async function bound() {
  const organization = await tests.world().organization()
  const { owner } = organization
  const rule = () =>
    owner.put('/organization/guardrails', { change_sets: { required_for: ['member'] } })
  return { organization, owner, rule }
}

test('a raise that needs a change set is proposed from the form, with its reason', async () => {
  const { organization, owner, rule } = await bound()
  const campaign = await campaignOf(owner)
  await owner.post(`/campaigns/${campaign.id}/launch`)
  await rule()
  const { page } = await tests.open({ organization, path: `/campaigns/${campaign.id}?open=edit` })
  tests.expectComplaint(/409/)
  const form = page.getByRole('dialog')
  await form.getByLabel('Daily budget').fill('400')
  await form.getByLabel('Reason').fill('Black Friday')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').getByText('This is done by change sets only').waitFor()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Propose as a change set' }).click()
  await page.waitForURL(/change-sets.chs_/)
  const [changeSet] = (await owner.get('/change_sets')).json().data
  expect(changeSet).toMatchObject({ status: 'open', description: 'Black Friday' })
  expect(changeSet.spend_delta).toMatchObject([{ daily_after_minor: 40_000 }])
})

test('a launch that needs a change set is proposed from its dialog', async () => {
  const { organization, owner, rule } = await bound()
  const campaign = await campaignOf(owner)
  await rule()
  const { page } = await tests.open({ organization, path: `/campaigns/${campaign.id}` })
  tests.expectComplaint(/409/)
  await page.getByText('Your organization wants it as a change set: propose it.').waitFor()
  await page.getByRole('button', { name: 'Launch…', exact: true }).click()
  await page.getByText('Your organization wants this as a change set.').first().waitFor()
  await expectAccessible(page)
  await page.getByRole('dialog').getByLabel('Reason').fill('The stock has come')
  await page.getByRole('button', { name: 'Propose as a change set' }).click()
  await page.waitForURL(/change-sets.chs_/)
  const [changeSet] = (await owner.get('/change_sets')).json().data
  expect(changeSet).toMatchObject({ status: 'open', summary: { action: 1 } })
  expect(changeSet.description).toBe('The stock has come')
})

test('the undo of a pause that needs a change set is proposed from its message', async () => {
  const { organization, owner, rule } = await bound()
  const campaign = await campaignOf(owner)
  await owner.post(`/campaigns/${campaign.id}/launch`)
  await rule()
  const { page } = await tests.open({ organization, path: `/campaigns/${campaign.id}` })
  tests.expectComplaint(/409/)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages.getByRole('button', { name: 'Undo' }).click()
  await messages.getByRole('button', { name: 'Propose' }).click()
  await page.getByRole('heading', { name: `Resume ${campaign.name}` }).waitFor()
  expect((await owner.get(`/campaigns/${campaign.id}`)).json().status).toBe('paused')
})

test('raises of many campaigns that need a change set are proposed together', async () => {
  const { organization, owner, rule } = await bound()
  await campaignsOf(organization, [{ name: 'Berlin' }, { name: 'Boston' }])
  for (const { id } of (await owner.get('/campaigns')).json().data)
    await owner.post(`/campaigns/${id}/launch`)
  await rule()
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Boston').waitFor()
  await page.getByLabel('Select all rows that are loaded').click()
  await page.getByRole('button', { name: 'Budget…' }).click()
  await page.getByRole('dialog').getByLabel('Per cent').fill('10')
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByText('2 cannot be changed.').waitFor()
  await page.getByRole('dialog').getByLabel('Reason').fill('Good week')
  await page.getByRole('button', { name: 'Propose as a change set' }).click()
  await page.waitForURL(/change-sets.chs_/)
  const [changeSet] = (await owner.get('/change_sets')).json().data
  expect(changeSet).toMatchObject({ status: 'open', operation_count: 2, applicable: true })
  expect(changeSet.description).toBe('Good week')
})

test('a cap that needs a change set is proposed from the form of its profile', async () => {
  const { organization, owner, rule } = await bound()
  const body = { name: 'Acme', currency: 'USD', daily_budget_cap: 100 }
  const { id } = (await owner.post('/profiles', body)).json()
  await rule()
  const { page } = await tests.open({ organization, path: `/profiles/${id}?open=edit` })
  tests.expectComplaint(/409/)
  const form = page.getByRole('dialog')
  await form.getByLabel('Daily cap').fill('900')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('button', { name: 'Propose as a change set' }).click()
  await page.waitForURL(/change-sets.chs_/)
  const [changeSet] = (await owner.get('/change_sets')).json().data
  expect(changeSet).toMatchObject({ status: 'open', summary: { update: 1 } })
})
