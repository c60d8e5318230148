import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { callsOf } from '../../../../server/test/support/clients/directory.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

test('an API key is created, shown once, and deleted', async () => {
  const { page, client } = await tests.open({ path: '/api-keys' })
  await page.getByText('No API keys yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New API key' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Reporting')
  await page.getByRole('dialog').getByLabel('Role').selectOption('Editor')
  await page.getByLabel('Expires').selectOption('In a year')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('heading', { name: 'Reporting is created' }).waitFor()
  const key = await page.locator('dialog pre').innerText()
  const me = await tests.world().anonymous.get('/auth/me', { authorization: `Bearer ${key}` })
  expect(me.json().api_key).toMatchObject({ name: 'Reporting', role: 'editor' })
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('heading', { name: 'Reporting', level: 1 }).waitFor()
  await expectAccessible(page)
  expect(await page.content()).not.toContain(key)

  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete API key' }).click()
  await page.getByText('No API keys yet').waitFor()
  expect((await client.get('/api_keys')).json().data).toEqual([])
})

test('a key expires at a time of one’s choice; a fault stands at its field', async () => {
  const { page, client } = await tests.open({ path: '/api-keys?open=new' })
  tests.expectComplaint(/422/)
  await page.getByLabel('Name', { exact: true }).fill('Nightly')
  await page.getByLabel('Expires').selectOption('At a time of your choice')
  await page.getByLabel('Time', { exact: true }).fill('2020-01-01T00:00')
  await page.getByRole('button', { name: 'Create API key' }).click()
  const time = page.getByLabel('Time', { exact: true })
  await expect.poll(() => time.getAttribute('aria-invalid')).toBe('true')
  await time.fill('2099-12-31T12:00')
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('heading', { name: 'Nightly is created' }).waitFor()
  const [key] = (await client.get('/api_keys')).json().data
  expect(key.expires_at).toMatch(/^2099-12-31T/)
})

test('a key is made for campaigns with a label', async () => {
  const { page, client } = await tests.open({ path: '/api-keys?open=new' })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Agency')
  await dialog.getByLabel('Sees').selectOption('A part of it')
  await dialog.getByLabel('Labels').pressSequentially('emea,')
  await dialog.getByText('Sees 0 campaigns.').waitFor()
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByText('campaigns labelled emea').waitFor()
  const [key] = (await client.get('/api_keys')).json().data
  expect(key.scope).toEqual({ labels: ['emea'] })
})

test('a directory gets a key, and who it makes is shown as from it', async () => {
  const { page } = await tests.open({ path: '/api-keys?open=new' })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Entra')
  await dialog.getByLabel('Role').selectOption('Provisioner')
  await dialog.getByText(/by SCIM. It reaches nothing else/).waitFor()
  expect(await dialog.getByLabel('Sees').count()).toBe(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  const key = await page.locator('dialog pre').innerText()
  const userName = `mary-${randomUUID()}@example.com`
  await callsOf(tests.world(), key).post('/Users', { userName, displayName: 'Mary Lee' })
  await page.goto(`${tests.origin()}/console/members`)
  await page.getByRole('link', { name: 'Mary Lee' }).click()
  await page.getByText('From the directory').waitFor()
  await expectAccessible(page)
})

test('a key for a language model has its amounts, shows what it did, is stopped and goes on', async () => {
  const { page, client } = await tests.open({ path: '/api-keys?open=new' })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Desk agent')
  await dialog.getByLabel('Role').selectOption('Editor')
  await dialog
    .getByLabel('Used by')
    .selectOption('A language model that applies small raises by itself')
  await dialog.getByRole('button', { name: 'Add a currency' }).click()
  await dialog.getByLabel('Amount in USD').fill('200')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('heading', { name: 'Language model' }).waitFor()
  await page
    .getByText(/0\.00 of .*200\.00/)
    .first()
    .waitFor()
  await expectAccessible(page)
  const [key] = (await client.get('/api_keys')).json().data
  expect(key.agent).toEqual({ apply: 'within_envelope', envelope_24h: { USD: 200 } })

  await page.getByRole('button', { name: 'Stop…' }).click()
  await page.getByLabel('Reason').fill('Month end')
  await page.getByRole('button', { name: 'Stop it' }).click()
  await page.getByText('Its writes are stopped').waitFor()
  await page.getByText('Month end').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Let it go on…' }).click()
  await page.getByRole('button', { name: 'Let it go on', exact: true }).click()
  await page.getByRole('button', { name: 'Stop…' }).waitFor()
  expect((await client.get(`/api_keys/${key.id}/agent`)).json()).toMatchObject({ stopped: false })
})
