import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

test('a person chooses what comes, and how', async () => {
  const { page, client } = await tests.open({ path: '/inbox', role: 'viewer' })
  await page.getByRole('link', { name: 'Settings' }).click()
  const form = page.getByRole('dialog', { name: 'What you are notified' })
  await form.getByLabel('Pacing').selectOption('Not at all')
  await form.getByLabel('My change sets').selectOption('In the inbox and by mail')
  await form.getByLabel('Mails', { exact: true }).selectOption('Once an hour')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your notifications are set').waitFor()
  const chosen = { pacing: 'none', my_change_sets: 'mail', digest: 'hourly', security: 'mail' }
  expect((await client.get('/auth/me/notifications')).json()).toMatchObject(chosen)
  await page.getByRole('definition').filter({ hasText: 'Not at all' }).waitFor()
  await page.getByText('factors and address are always sent').waitFor()
  // The service of the tests has no mail server.
  await page.getByText('This service sends no mail.').waitFor()
  await expectAccessible(page)
})
