import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { proposed } from '../../../../server/test/support/cases/change-sets.ts'
import { notifyNow } from '../../../../server/test/support/cases/people/notification-cases.ts'
import { campaignAfter } from '../../../../server/test/support/cases/writes.ts'
import { guard } from '../../../../server/test/support/clients/second-factor.ts'
import type { TestOrganization } from '../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

const bell = (page: Page, name: string | RegExp) =>
  page.getByRole('banner').getByRole('link', { name, exact: true })
const unread = (page: Page) => page.getByRole('row').filter({ hasText: 'Unread:' })

/** An organization whose owner is notified of a change set, a role and two keys. */
async function notified() {
  const organization = await tests.world().organization()
  const [admin, { userId }] = [await organization.as('admin'), await organization.as('viewer')]
  await notifyNow(organization)
  await organization.owner.post('/notifications/read')
  await admin.patch(`/members/${userId}`, { role: 'editor' })
  await waiting(organization)
  for (const name of ['Nightly export', 'Data warehouse'])
    await admin.post('/api_keys', { name, role: 'viewer' })
  await notifyNow(organization)
  return { organization, admin }
}

async function waiting(organization: TestOrganization) {
  const id = await campaignAfter(organization, ['launch'])
  await organization.owner.put('/organization/guardrails', { change_sets: { approval: 'always' } })
  const editor = await organization.as('editor')
  const operations = [{ op: 'update', id, body: { daily_budget: 100 } }]
  await proposed(editor, operations, { title: 'Weekend sale' })
}

test('the bell counts what is unread, and the inbox leads to what it is about', async () => {
  const { organization } = await notified()
  const { page } = await tests.open({ organization })
  await bell(page, /^Inbox, \d+ unread$/).click()
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Weekend sale' })
  await row.getByText(/ → 100\.00 USD a day$/).waitFor()
  await page.getByText('Role: viewer → editor').waitFor()
  await expectAccessible(page)
  const before = await unread(page).count()
  await row.getByRole('link', { name: 'Change set “Weekend sale” waits for approval' }).click()
  await page.getByRole('heading', { level: 1, name: 'Weekend sale' }).waitFor()
  await bell(page, `Inbox, ${before - 1} unread`).waitFor()
  await page.goBack()
  await expect.poll(() => unread(page).count()).toBe(before - 1)
})

test('one is marked as read, then all', async () => {
  const { organization, admin } = await notified()
  const { page } = await tests.open({ organization, path: '/inbox?category=security', width: 390 })
  await page.getByText('API key “Data warehouse” was created').waitFor()
  await expectAccessible(page)
  const before = await unread(page).count()
  await page.getByRole('button', { name: /^Mark as read: .*Data warehouse/ }).click()
  await expect.poll(() => unread(page).count()).toBe(before - 1)
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await page.getByText('All are marked as read').waitFor()
  await expect.poll(() => unread(page).count()).toBe(0)
  await bell(page, 'Inbox').waitFor()
  await page.getByLabel('State').selectOption('true')
  await page.getByText('No notification matches').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await tests.untilLive(page)
  // Comes by itself, some seconds after its event.
  await admin.post('/api_keys', { name: 'Third', role: 'viewer' })
  await notifyNow(organization)
  await page.getByText('API key “Third” was created').waitFor()
  await bell(page, 'Inbox, 1 unread').waitFor()
})

test('a viewer has an inbox, too, with nothing in it', async () => {
  const { page } = await tests.open({ path: '/inbox', role: 'viewer' })
  await page.getByText('Nothing yet').waitFor()
  await bell(page, 'Inbox').waitFor()
  const readAll = page.getByRole('button', { name: 'Mark all read' })
  await expect.poll(() => readAll.getAttribute('aria-disabled')).toBe('true')
  await expectAccessible(page)
})

test('who must set up a second factor first has no bell', async () => {
  const organization = await tests.world().organization()
  await guard(tests.world(), organization.owner)
  await organization.owner.patch('/organization', { require_second_factor: true })
  const client = await organization.as('editor')
  const { page } = await tests.open({ organization, client, path: '/inbox' })
  await page.getByRole('button', { name: /authenticator app/ }).waitFor()
  expect(await page.getByRole('link', { name: /^Inbox/ }).count()).toBe(0)
})

test('a long list is read page by page', async () => {
  const organization = await tests.world().organization()
  const admin = await organization.as('admin')
  for (let at = 0; at < 60; at += 1)
    await admin.post('/api_keys', { name: `Key ${at}`, role: 'viewer' })
  await notifyNow(organization)
  const { page } = await tests.open({ organization, path: '/inbox' })
  await page.getByText('API key “Key 59” was created').waitFor()
  await bell(page, /^Inbox, 6\d unread$/).waitFor()
  await page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded()
  await page.getByText('API key “Key 0” was created').waitFor()
})
