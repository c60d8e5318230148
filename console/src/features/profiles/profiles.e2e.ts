import { expect } from 'vitest'
import { consoleTests, expectAccessible, screens, test } from '../../../test/console.ts'

const tests = consoleTests()

test('a profile is created, changed and deleted', async () => {
  const { page, client } = await tests.open({ path: '/profiles' })
  await page.getByText('No profiles yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New profile' }).first().click()
  await page.getByLabel('Name').fill('Northwind on Meta')
  await page.getByRole('dialog').getByLabel('Platform', { exact: true }).selectOption('Meta')
  await page.getByRole('dialog').getByLabel('Currency').selectOption('EUR')
  await page.getByLabel('Daily cap').fill('1.200,50')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create profile' }).click()
  await page.getByRole('heading', { name: 'Northwind on Meta', level: 1 }).waitFor()
  const [profile] = (await client.get('/profiles')).json().data
  expect(profile).toMatchObject({ platform: 'meta', currency: 'EUR', daily_budget_cap: 1200.5 })

  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Name').fill('Northwind')
  await page.getByLabel('Reason').fill('Renamed by the client')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Northwind', level: 1, exact: true }).waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete profile' }).click()
  await page.getByText('No profiles yet').waitFor()
  const records = (await client.get('/audit_logs?action=profile.updated')).json().data
  expect(records[0]).toMatchObject({ reason: 'Renamed by the client' })
})

test('a fault stands at its field, and what was typed survives a reload', async () => {
  const { page } = await tests.open({ path: '/profiles?open=new' })
  tests.expectComplaint(/422/)
  await page.getByLabel('Name').fill('Contoso')
  await page.getByLabel('Time zone').fill('Mars/Olympus')
  await page.getByRole('button', { name: 'Create profile' }).click()
  const field = page.getByLabel('Time zone')
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await page.reload()
  await page.getByText('These edits were not saved last time.').waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Contoso')
})

test('edits made meanwhile by another person are shown beside one’s own', async () => {
  const organization = await tests.world().organization()
  const made = (await organization.owner.post('/profiles', { name: 'Fabrikam' })).json()
  const { page } = await tests.open({ organization, path: `/profiles/${made.id}?open=edit` })
  tests.expectComplaint(/412/)
  await page.getByLabel('Name').fill('Fabrikam Inc.')
  const admin = await organization.as('admin')
  await admin.patch(`/profiles/${made.id}`, { name: 'Fabrikam GmbH' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('admin user changed this meanwhile.').waitFor()
  await page.getByRole('cell', { name: 'Fabrikam GmbH' }).waitFor()
  await page.getByRole('button', { name: 'Keep my edits and go on' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Fabrikam Inc.', level: 1 }).waitFor()
})

test('a viewer reads profiles, and why they cannot be changed', async () => {
  const { page } = await tests.open({ path: '/profiles', role: 'viewer' })
  const button = page.getByRole('button', { name: 'New profile' }).first()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await button.focus()
  await page
    .getByRole('tooltip')
    .getByText('Your role is viewer; this needs owner or admin.')
    .waitFor()
})

test('what is changed elsewhere appears by itself', async () => {
  const organization = await tests.world().organization()
  const made = (await organization.owner.post('/profiles', { name: 'Tailspin' })).json()
  const { page } = await tests.open({ organization, path: '/profiles' })
  await page.getByText('Tailspin', { exact: true }).waitFor()
  await tests.untilLive(page)
  await organization.owner.patch(`/profiles/${made.id}`, { name: 'Tailspin Toys' })
  await page.getByText('Tailspin Toys', { exact: true }).waitFor()
})

test('a profile gets a proxy, a country and metadata, and is found by its client', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const proxy = { name: 'Frankfurt', protocol: 'https', host: 'fra.example.net', port: 8443 }
  const { id: proxyId } = (await owner.post('/proxies', proxy)).json()
  await owner.post('/profiles', { name: 'Fabrikam', client: 'Fabrikam Inc.' })
  const made = (await owner.post('/profiles', { name: 'Northwind', client: 'Northwind' })).json()
  const { page } = await tests.open({ organization, path: `/profiles/${made.id}?open=edit` })
  const form = page.getByRole('dialog').first()
  await form.getByText('More: account').click()
  await form.getByLabel('Proxy').fill('frank')
  await page.getByRole('option', { name: /Frankfurt/ }).click()
  await form.getByLabel('Country').selectOption('DE')
  await form.getByRole('button', { name: 'Add a key' }).click()
  await form.getByLabel('Key 1', { exact: true }).fill('cost-centre')
  await form.getByLabel('Value of cost-centre', { exact: true }).fill('4711')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Frankfurt' }).waitFor()
  await expectAccessible(page)
  const stored = (await owner.get(`/profiles/${made.id}`)).json()
  expect(stored).toMatchObject({
    proxy_id: proxyId,
    country: 'DE',
    metadata: { 'cost-centre': '4711' },
  })

  await screens(page).getByRole('link', { name: 'Profiles' }).click()
  await page.getByRole('link', { name: 'Fabrikam', exact: true }).waitFor()
  await page.getByLabel('Client', { exact: true }).fill('Northwind')
  await page.getByRole('link', { name: 'Fabrikam', exact: true }).waitFor({ state: 'detached' })
  expect(page.url()).toContain('client=Northwind')
})

test('a profile shows its campaigns, is paused, and goes back to an earlier version', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id } = (await owner.post('/profiles', { name: 'Northwind', currency: 'EUR' })).json()
  const campaign = { name: 'Spring Sale', objective: 'sales', profile_id: id, daily_budget: 10 }
  expect((await owner.post('/campaigns', campaign)).statusCode).toBe(201)
  await owner.patch(`/profiles/${id}`, { name: 'Northwind Traders' })
  const { page } = await tests.open({ organization, path: `/profiles/${id}` })
  await page.getByRole('main').getByRole('link', { name: 'Campaigns' }).click()
  await page.getByRole('link', { name: 'Spring Sale' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Paused' }).click()
  await page.getByLabel('Reason').fill('The client asked')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Make it paused' }).click()
  await page.getByText('Northwind Traders is paused').waitFor()
  expect((await owner.get(`/profiles/${id}`)).json().status).toBe('paused')

  await page.getByRole('main').getByRole('link', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Version 1' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Revert to this version…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revert', exact: true }).last().click()
  await page.getByRole('heading', { name: 'Northwind', level: 1, exact: true }).waitFor()
  const stored = (await owner.get(`/profiles/${id}`)).json()
  expect(stored).toMatchObject({ name: 'Northwind', status: 'paused', version: 4 })
})

test('a profile with campaigns is not deleted: they are named, and lead there', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id } = (await owner.post('/profiles', { name: 'Northwind', currency: 'EUR' })).json()
  const campaign = { name: 'Spring Sale', objective: 'sales', profile_id: id, daily_budget: 10 }
  await owner.post('/campaigns', campaign)
  const { page } = await tests.open({ organization, path: `/profiles/${id}?open=delete` })
  tests.expectComplaint(/409/)
  await page.getByRole('button', { name: 'Delete profile' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Spring Sale' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('link', { name: 'Spring Sale' }).click()
  await page.getByRole('heading', { name: 'Spring Sale', level: 1 }).waitFor()
})

test('fields for experts are folded, unless one has a value or a fault', async () => {
  const { page } = await tests.open({ path: '/profiles?open=new' })
  tests.expectComplaint(/422/)
  const fold = page.getByText('More: account')
  const externalId = page.getByLabel('External id')
  expect(await externalId.isVisible()).toBe(false)
  await page.getByLabel('Name').fill('Northwind')
  await fold.click()
  await externalId.fill('x'.repeat(300))
  await fold.click()
  expect(await externalId.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Create profile' }).click()
  await page.locator('input[name=external_id]:focus').waitFor()
  await expectAccessible(page)
  await externalId.fill('N-1')
  expect(await externalId.isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Create profile' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  expect(await externalId.inputValue()).toBe('N-1')
  expect(await externalId.isVisible()).toBe(true)
})
