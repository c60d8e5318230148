import { expect } from 'vitest'
import { openToLocal } from '../../../../server/test/support/delivering.ts'
import { receiverForTest } from '../../../../server/test/support/machines/receiver.ts'
import type { Client } from '../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests({ env: openToLocal, background: true })
const path = '/organization/notification-channels'

const channelOf = async (owner: Client, body: object) =>
  (
    await owner.post('/notification_channels', {
      ...{ kind: 'webhook', name: 'Ours', events: ['change_set.*'] },
      ...body,
    })
  ).json()

test('a channel of one’s own is created, its secret shown once, tested, edited and deleted', async () => {
  const receiver = await receiverForTest()
  const organization = await tests.world().organization()
  const { owner } = organization
  const client = (await owner.post('/clients', { name: 'Northwind' })).json()
  const { page } = await tests.open({ organization, path: '/organization' })
  await page.getByRole('link', { name: 'Notification channels' }).click()
  await page.getByText('No notification channels yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New channel' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Kind').selectOption('webhook')
  await page.getByLabel('Name', { exact: true }).fill('Approvals')
  await page.getByLabel('URL of your receiver').fill(receiver.url)
  await page.getByLabel('Events', { exact: true }).fill('drift')
  await page.getByLabel('deployment.drifted').check()
  await page.getByLabel('Events', { exact: true }).fill('')
  await page.getByLabel('Change set', { exact: true }).check()
  await page.getByText(/^More: /).click()
  await form.getByRole('combobox', { name: /^Client/ }).fill('north')
  await page.getByRole('option', { name: 'Northwind' }).click()
  await form.getByLabel('Platform').selectOption('meta')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create channel' }).click()

  await page.getByText('it is shown this once').waitFor()
  const secret = await page.locator('dialog pre').innerText()
  expect(secret).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor()
  const kept = await page.evaluate(() => JSON.stringify(localStorage))
  expect(kept).not.toContain(receiver.url)
  const [channel] = (await owner.get('/notification_channels')).json().data
  expect(channel).toMatchObject({
    events: ['deployment.drifted', 'change_set.*'],
    filter: { client_id: client.id, platform: 'meta' },
  })

  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test was taken.').waitFor()
  await receiver.arrived(1)
  await page.getByRole('main').getByRole('link', { name: 'Northwind' }).waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Edit' }).click()
  await form.getByLabel('Platform').selectOption('Any')
  await form.getByLabel('Messages').selectOption('Once an hour')
  await form.getByText(`Now ${new URL(receiver.url).origin}.`).waitFor()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('definition').filter({ hasText: 'Once an hour' }).waitFor()
  const edited = (await owner.get(`/notification_channels/${channel.id}`)).json()
  expect(edited).toMatchObject({ digest: 'hourly', filter: { client_id: client.id } })
  expect(edited.filter.platform).toBeUndefined()

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete channel' }).click()
  await page.getByText('No notification channels yet').waitFor()
})

test('a test that is refused says why; a channel is switched off and on', async () => {
  const receiver = await receiverForTest()
  receiver.answer(404)
  const organization = await tests.world().organization()
  const { id } = await channelOf(organization.owner, { target: receiver.url })
  const { page } = await tests.open({ organization, path: `${path}/${id}` })
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test was not taken.').waitFor()
  await page.getByRole('alert').getByText(/404/).waitFor()
  await expectAccessible(page)
  await page.reload()
  await page.getByText('The last attempt failed.').waitFor()
  await page.getByRole('main').getByText('Failing').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Switch off…' }).click()
  await page.getByRole('button', { name: 'Switch off', exact: true }).click()
  await page.getByText('This channel is switched off.').waitFor()
  await page.getByRole('button', { name: 'Switch on' }).first().click()
  await page.getByText('The channel is switched on').waitFor()
  await page.goto(`${tests.origin()}/console${path}`)
  await page.getByRole('cell', { name: 'Failing' }).waitFor()
  await expectAccessible(page)
})

test('refusals stand at their fields', async () => {
  const { page } = await tests.open({ path: `${path}?open=new` })
  tests.expectComplaint(/422/)
  const form = page.getByRole('dialog', { name: 'New channel' })
  await form.getByLabel('Kind').selectOption('email')
  await page.getByText('This service sends no mail').waitFor()
  await form.getByLabel('Kind').selectOption('slack')
  await page.getByLabel('Name', { exact: true }).fill('#ads-approvals')
  const target = page.getByLabel('URL of the incoming webhook')
  await target.fill('https://user:secret@example.com/')
  await page.getByRole('button', { name: 'Create channel' }).click()
  await expect.poll(() => target.getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
})

test('an editor finds no channels', async () => {
  const { page } = await tests.open({ path: '/organization', role: 'editor' })
  tests.expectComplaint(/403/)
  expect(await page.getByRole('link', { name: 'Notification channels' }).count()).toBe(0)
  await page.goto(`${tests.origin()}/console${path}`)
  await page.getByText('The role does not allow this').waitFor()
})
