import { expect } from 'vitest'
import { askForApproval, campaignOf } from '../../../../test/campaigns.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'

const tests = consoleTests()

test('one person submits a campaign, and another approves it', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await askForApproval(owner)
  const editor = await organization.as('editor')
  const campaign = await campaignOf(owner)
  const path = `/campaigns/${campaign.id}`
  const { page: editors } = await tests.open({ organization, client: editor, path })
  await editors.getByRole('button', { name: 'Submit…' }).click()
  await editors.getByRole('button', { name: 'Submit', exact: true }).click()
  await editors.getByText('Spring Sale 2026 is submitted').waitFor()
  const approve = editors.getByRole('button', { name: 'Approve…' })
  // The event of the submission says what is possible, the reading after it what is to this person.
  await expect.poll(() => approve.getAttribute('aria-disabled')).toBe('true')

  const { page } = await tests.open({ organization, path: '/approvals' })
  await page.getByText('USD 33.51 a day').waitFor()
  await page.getByText('editor user').waitFor()
  await page.getByText('Nothing of it was approved before.').waitFor()
  await page.getByRole('button', { name: 'Approve…' }).click()
  await page.getByText('It will be active.').waitFor()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('Nothing waits for an approval').waitFor()
  await editors.getByText('Delivers now').waitFor()
})

test('a rejection has a reason, and the next one is a key away', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await askForApproval(owner)
  const editor = await organization.as('editor')
  for (const name of ['First', 'Second', 'Third']) {
    const { id } = await campaignOf(owner, { name })
    await editor.post(`/campaigns/${id}/submit`)
  }
  const { page } = await tests.open({ organization, path: '/approvals' })
  const chosen = page.getByRole('region', { name: 'Chosen campaign' })
  await chosen.getByRole('heading', { name: 'First' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'First' }).getByRole('link').focus()
  await page.keyboard.press('j')
  await chosen.getByRole('heading', { name: 'Second' }).waitFor()
  await page.getByRole('button', { name: 'Reject…' }).click()
  const reject = page.getByRole('button', { name: 'Reject', exact: true })
  expect(await reject.getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('Reason').fill('The budget belongs to next month')
  await reject.click()
  await chosen.getByRole('heading', { name: 'Third' }).waitFor()
  const [second] = (await owner.get('/campaigns?q=Second')).json().data
  expect(second.review).toMatchObject({
    state: 'rejected',
    reason: 'The budget belongs to next month',
  })
})

test('who submitted a campaign, or proposed a change set, reads why another person approves', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', {
    approval: { mode: 'always' },
    change_sets: { approval: 'always' },
  })
  const { id } = await campaignOf(owner)
  await owner.post(`/campaigns/${id}/submit`)
  const { page } = await tests.open({ organization, path: '/approvals' })
  const main = page.getByRole('main')
  const approve = main.getByRole('button', { name: 'Approve…' })
  await approve.waitFor()
  expect(await approve.getAttribute('aria-disabled')).toBe('true')
  await approve.focus()
  await page.getByRole('tooltip').getByText('You submitted it').waitFor()
  await approve.press('Enter')
  expect(await page.getByRole('dialog').count()).toBe(0)

  const other = await campaignOf(owner, { name: 'Summer sale' })
  const operations = [{ op: 'update', id: other.id, body: { daily_budget: 40 } }]
  const proposed = await owner.post('/change_sets', { title: 'Budgets', operations })
  await page.goto(`${tests.origin()}/console/change-sets/${proposed.json().id}`)
  const approveAll = main.getByRole('button', { name: 'Approve' })
  await approveAll.waitFor()
  expect(await approveAll.getAttribute('aria-disabled')).toBe('true')
  await approveAll.focus()
  await page.getByRole('tooltip').getByText('You proposed it').waitFor()
})

test('no one approves what they have not seen', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await askForApproval(owner)
  const editor = await organization.as('editor')
  const { id } = await campaignOf(owner)
  await editor.post(`/campaigns/${id}/submit`)
  const { page } = await tests.open({ organization, path: `/approvals?open=approve` })
  await page.getByText('It will be active.').waitFor()
  await editor.patch(`/campaigns/${id}`, { notes: 'Agreed by phone' })
  await page.getByText('It has been changed since this was opened.').waitFor()
  tests.expectComplaint(/412/)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('alert').first().waitFor()
  expect((await owner.get(`/campaigns/${id}`)).json().status).toBe('pending_review')
  await page.getByRole('button', { name: 'Show it as it is now' }).click()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('Spring Sale 2026 is approved').waitFor()
})

test('what is asked for now stands beside what was approved before', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await askForApproval(owner)
  const editor = await organization.as('editor')
  const { id } = await campaignOf(owner)
  await editor.post(`/campaigns/${id}/submit`)
  await owner.post(`/campaigns/${id}/approve`, undefined, { 'if-match': '"2"' })
  await editor.post(`/campaigns/${id}/pause`)
  await editor.patch(`/campaigns/${id}`, { daily_budget: 50 })
  await editor.post(`/campaigns/${id}/submit`)
  const { page } = await tests.open({ organization, path: '/approvals' })
  const row = page.getByRole('row', { name: /Daily budget/ })
  await row.getByRole('cell', { name: 'USD 33.51' }).waitFor()
  await row.getByRole('cell', { name: 'USD 50.00' }).waitFor()
})

test('change sets that wait for an approval are listed too', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', { change_sets: { approval: 'always' } })
  const { id } = await campaignOf(owner)
  const operations = [{ op: 'update', id, body: { daily_budget: 40 } }]
  const title = 'Budgets of December'
  expect((await owner.post('/change_sets', { title, operations })).statusCode).toBe(201)
  const { page } = await tests.open({ organization, path: '/approvals' })
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
})

test('the inbox is accessible, empty and full', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await askForApproval(owner)
  const { page } = await tests.open({ organization, path: '/approvals' })
  await page.getByText('Nothing waits for an approval').waitFor()
  await expectAccessible(page)
  const editor = await organization.as('editor')
  const { id } = await campaignOf(owner)
  await editor.post(`/campaigns/${id}/submit`)
  await page.getByText('USD 33.51 a day').waitFor()
  await page.getByRole('button', { name: 'Reject…' }).waitFor()
  await expectAccessible(page)
})
