import { expect } from 'vitest'
import { guard } from '../../../../server/test/support/clients/second-factor.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

test('a member is added with a password that is shown once', async () => {
  const { page, client } = await tests.open({ path: '/members' })
  await page.getByRole('cell', { name: 'Olga Owner' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add a member' }).click()
  const email = `grace-${client.userId}@example.com`
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
  await page.getByRole('dialog').getByLabel('Role').selectOption('Editor')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add member' }).click()
  await page.getByRole('heading', { name: 'Grace Hopper is a member' }).waitFor()
  await expectAccessible(page)
  const password = await page.locator('dialog pre').innerText()
  const login = await client.call({
    method: 'POST',
    url: '/auth/login',
    payload: { email, password },
  })
  expect(login.statusCode).toBe(200)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
  const kept = await page.evaluate(() => JSON.stringify(localStorage))
  expect(kept).not.toContain(password)
})

test('a password that is typed is never kept over a reload', async () => {
  const { page } = await tests.open({ path: '/members?open=new' })
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.getByLabel('Password').fill('engine of 1843 wheels')
  await page.reload()
  await page.getByText('These edits were not saved last time.').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace')
  expect(await page.getByLabel('Password').inputValue()).toBe('')
})

test('a member is changed, disabled, enabled and deleted', async () => {
  const organization = await tests.world().organization()
  const editor = await organization.as('editor')
  const { page, client } = await tests.open({ organization, path: `/members/${editor.userId}` })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Role').selectOption('Viewer')
  await page.getByLabel('Reason').fill('Moved to another team')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Viewer', { exact: true }).waitFor()
  const choose = async (item: string, verb: string) => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('button', { name: verb }).click()
  }
  await choose('Disable…', 'Disable member')
  await page.getByText('Disabled', { exact: true }).waitFor()
  await choose('Enable…', 'Enable member')
  await page.getByText('Active', { exact: true }).waitFor()
  await choose('Delete…', 'Delete member')
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
  expect((await client.get(`/members/${editor.userId}`)).statusCode).toBe(404)
  const { data } = (await client.get('/audit_logs?action=member.updated&sort=sequence')).json()
  expect(data[0]).toMatchObject({ reason: 'Moved to another team' })
})

test('the second factors of a member who has lost them are removed', async () => {
  const organization = await tests.world().organization()
  const editor = await organization.as('editor')
  await guard(tests.world(), editor)
  const { page, client } = await tests.open({ organization, path: `/members/${editor.userId}` })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Remove the second factors…' }).click()
  await expectAccessible(page)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await page.getByText('has no second factor').waitFor()
  expect((await client.get(`/members/${editor.userId}`)).json().second_factor).toBe(false)
})

test('members are found by name, email and role, by the address of the screen', async () => {
  const organization = await tests.world().organization()
  const viewer = await organization.as('viewer')
  const { page } = await tests.open({ organization, path: '/members?role=viewer' })
  await page.getByText('viewer user').waitFor()
  expect(await page.getByRole('cell', { name: 'Olga Owner' }).count()).toBe(0)
  await page.getByRole('searchbox').fill(viewer.email)
  await expect.poll(() => page.url()).toContain('q=')
  await page.getByText('viewer user').waitFor()
  await page.getByRole('searchbox').fill('no such name')
  await page.getByText('No member matches').waitFor()
  await expectAccessible(page)
})

test('an admin may not change owners: the service says so in the form', async () => {
  const organization = await tests.world().organization()
  const path = `/members/${organization.owner.userId}?open=edit`
  const { page } = await tests.open({ organization, path, role: 'admin' })
  tests.expectComplaint(/403/)
  await page.getByLabel('Name', { exact: true }).fill('Mallory')
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('alert')
    .getByText(/Only an owner may/)
    .waitFor()
  await expectAccessible(page)
})

test.for(['editor', 'viewer', 'auditor'] as const)(
  'a %s has no screen of members',
  async (role) => {
    const { page } = await tests.open({ path: '/', role })
    await page.getByRole('link', { name: 'Account' }).waitFor()
    expect(await page.getByRole('link', { name: 'Members' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Guardrails' }).count()).toBe(0)
    tests.expectComplaint(/403/)
    await page.goto(`${tests.origin()}/console/members`)
    await page.getByRole('alert').waitFor()
    await expectAccessible(page)
  },
)

test('a colleague is shown one client, and sees no other', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  for (const name of ['Baltic Coffee', 'Nordic Tea']) {
    const client_id = (await owner.post('/clients', { name })).json().id
    const account = { name: `${name} account`, currency: 'USD', client_id }
    const profile_id = (await owner.post('/profiles', account)).json().id
    const campaign = { name: `${name} sale`, objective: 'sales', daily_budget: 10 }
    await owner.post('/campaigns', { ...campaign, profile_id, currency: 'USD' })
  }
  const editor = await organization.as('editor')
  const { page } = await tests.open({ organization, path: `/members/${editor.userId}` })
  await page.getByText('Everything', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Sees').selectOption('A part of it')
  await dialog.getByLabel('Clients').fill('coffee')
  await page.getByRole('option', { name: 'Baltic Coffee' }).click()
  await dialog.getByText('Sees 1 client, 1 campaign.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('1 client', { exact: true }).waitFor()
  const seen = (await editor.get('/campaigns')).json().data
  expect(seen).toMatchObject([{ name: 'Baltic Coffee sale' }])

  await page.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('button', { name: 'Remove Baltic Coffee' }).click()
  tests.expectComplaint(/422/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => dialog.getByLabel('Sees').getAttribute('aria-invalid')).toBe('true')
  await dialog.getByLabel('Role').selectOption('Admin')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Everything', { exact: true }).waitFor()
  expect((await owner.get(`/members/${editor.userId}`)).json()).toMatchObject({ scope: null })
})
