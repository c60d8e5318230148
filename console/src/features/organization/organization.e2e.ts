import { expect } from 'vitest'
import { fill, write } from '../../../../server/test/support/cases/storage.ts'
import { guard } from '../../../../server/test/support/clients/second-factor.ts'
import { password } from '../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests({ env: { FLIGHTDECK_PLAN_STORAGE: 'free=60kB,operator=600kB' } })

test('an owner renames the organization and asks for versions', async () => {
  const { page, client } = await tests.open({ path: '/organization' })
  await page.getByRole('heading', { name: 'Storage' }).waitFor()
  await page.getByText(`${tests.origin()}/scim/v2`).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Acme')
  await page.getByLabel('Only accept changes of the version that was seen').check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Acme', level: 1 }).waitFor()
  const stored = (await client.get('/organization')).json()
  expect(stored).toMatchObject({ name: 'Acme', require_if_match: true })
})

test('a second factor is required no longer after a login in place', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { code } = await guard(tests.world(), owner)
  await owner.patch('/organization', { require_second_factor: true })
  const { page } = await tests.open({ organization, path: '/organization?open=edit' })
  tests.world().clock.advance(16 * 60_000)
  tests.expectComplaint(/401|403/)
  await page.getByLabel('Require a second factor of all members').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This needs a login of the last 15 minutes.').waitFor()
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('Code', { exact: true }).fill(code())
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('As each member likes').waitFor()
})

test('limits are shown with a number and a word', async () => {
  const organization = await tests.world().organization({ plan: 'free' })
  await organization.owner.post('/profiles', { name: 'One' })
  const { page } = await tests.open({ organization, path: '/organization', role: 'viewer' })
  await page.getByText(/ of 100 requests are used/).waitFor()
  const profiles = page.getByRole('row', { name: /^Profiles 1 1,000/ })
  await profiles.getByText('Room left').waitFor()
  await page.getByRole('row', { name: /^Audit logs .* kB/ }).waitFor()
  const edit = page.getByRole('button', { name: 'Edit' })
  expect(await edit.getAttribute('aria-disabled')).toBe('true')
})

test('storage says how full it is, and what goes on when it is full', async () => {
  const free = await tests.world().organization({ plan: 'free' })
  await fill(free.owner)
  const { page } = await tests.open({ organization: free, path: '/organization' })
  await page.getByText('The storage of the plan is full').waitFor()
  await page.getByText(/kB of 60 kB are used/).waitFor()
  await expectAccessible(page)
  await page.goto(`${tests.origin()}/console/`)
  await page.getByRole('link', { name: /^Storage: full/ }).waitFor()
})

test('storage says that it is nearly full', async () => {
  const organization = await tests.world().organization({ plan: 'operator' })
  const { owner } = organization
  const used = async () => (await owner.get('/limits')).json().caps.storage.used
  while ((await used()) < 480_000) await write(owner)
  const { page } = await tests.open({ organization, path: '/organization' })
  await page.getByText('The storage of the plan is nearly full').waitFor()
  await expectAccessible(page)
})

test('what another person changed meanwhile is shown beside one’s own', async () => {
  const { page, client } = await tests.open({ path: '/organization?open=edit' })
  tests.expectComplaint(/412/)
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await client.patch('/organization', { name: 'Theirs' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Theirs' }).waitFor()
  await page.getByRole('button', { name: 'Keep my edits and go on' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor()
})
