import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Client } from '../../../../../server/test/support/world.ts'
import { campaignOf } from '../../../../test/campaigns.ts'
import { consoleTests, test } from '../../../../test/console.ts'

const tests = consoleTests()

/** An editor's change set of one edit, on the screen of its owner. */
async function proposed() {
  const organization = await tests.world().organization()
  const campaign = await campaignOf(organization.owner)
  const editor = await organization.as('editor')
  const operations = [{ op: 'update', id: campaign.id, body: { labels: ['sale'] } }]
  const { id } = (await editor.post('/change_sets', { title: 'Weekend', operations })).json()
  const { page } = await tests.open({ organization, path: `/change-sets/${id}` })
  return { page, id, owner: organization.owner }
}

async function decide(page: Page, verb: string, reason?: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: verb, exact: true }).click()
  const dialog = page.getByRole('dialog')
  if (reason !== undefined) await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: verb, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

const stored = async (owner: Client, id: string) => (await owner.get(`/change_sets/${id}`)).json()

test('a change set is renamed, approved by another person, and applied', async () => {
  const { page, id, owner } = await proposed()
  await page.getByRole('main').getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Title').fill('Long weekend')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Long weekend', level: 1 }).waitFor()
  await decide(page, 'Approve')
  await page.getByText('Long weekend is approved').waitFor()
  expect((await stored(owner, id)).approved_by).toBe(owner.userId)
  await decide(page, 'Apply')
  await page.getByText('Long weekend is applied').waitFor()
  expect((await stored(owner, id)).status).toBe('applied')
})

test('a change set is rejected with a reason that its author reads', async () => {
  const { page, id, owner } = await proposed()
  await decide(page, 'Reject', 'Not before the stock has come')
  await page.getByText('Weekend is rejected').waitFor()
  await page.getByRole('main').getByText('Not before the stock has come').waitFor()
  expect(await stored(owner, id)).toMatchObject({
    status: 'rejected',
    rejected_reason: 'Not before the stock has come',
  })
})

test('a change set is cancelled, and nothing is changed', async () => {
  const { page, id, owner } = await proposed()
  await page.getByRole('button', { name: 'Cancel change set' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
  await decide(page, 'Cancel change set')
  await page.getByText('Weekend is cancelled').waitFor()
  expect((await stored(owner, id)).status).toBe('cancelled')
})
