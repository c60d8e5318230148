import { expect } from 'vitest'
import { made } from '../../../../server/test/support/cases/writes.ts'
import { password } from '../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

const linkIn = (text: string) => new URL(text).hash

test('a person is invited by a link that is shown once, joins, and is logged in', async () => {
  const { page, client, organization } = await tests.open({ path: '/members' })
  await page.getByRole('button', { name: 'Invite a person' }).click()
  const email = `grace-${client.userId}@example.com`
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('dialog').getByLabel('Role').selectOption('Editor')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('heading', { name: `${email} is invited` }).waitFor()
  const link = await page.locator('dialog pre').innerText()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('cell', { name: email, exact: true }).waitFor()
  await expectAccessible(page)

  const joining = await tests.visit(`/console/join${linkIn(link)}`)
  await joining.getByLabel('Your name').fill('Grace Hopper')
  await joining.getByLabel('Password').fill('short')
  await expectAccessible(joining)
  tests.expectComplaint(/422/)
  await joining.getByRole('button', { name: 'Join' }).click()
  await joining
    .getByText(/at least 12/)
    .first()
    .waitFor()
  await joining.getByLabel('Password').fill(password)
  await joining.getByRole('button', { name: 'Join' }).click()
  await joining.getByText('Grace Hopper').first().waitFor()
  expect(new URL(joining.url()).hash).toBe('')
  const { data } = (await organization.owner.get('/invitations')).json()
  expect(data).toEqual([])

  const late = await tests.visit(`/console/join${linkIn(link)}`)
  await late.getByLabel('Your name').fill('Eve')
  await late.getByLabel('Password').fill(password)
  tests.expectComplaint(/410/)
  await late.getByRole('button', { name: 'Join' }).click()
  await late.getByText('This link works no longer.').waitFor()
  await expectAccessible(late)
})

test('an invitation is sent again, and taken back; editors cannot invite', async () => {
  const organization = await tests.world().organization()
  const email = `alan-${organization.owner.userId}@example.com`
  await made(organization.owner, '/invitations', { email, role: 'viewer' })
  const { page } = await tests.open({ organization, path: '/members/invitations' })
  await page.getByRole('button', { name: `Send again: the invitation of ${email}` }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('button', { name: `Take back: the invitation of ${email}` }).click()
  await page.getByText('No open invitations').waitFor()
  await expectAccessible(page)
})

test('a password is reset by a link that an admin hands on', async () => {
  const organization = await tests.world().organization()
  const editor = await organization.as('editor')
  const { page } = await tests.open({ organization, path: `/members/${editor.userId}` })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Reset the password…' }).click()
  await page.getByRole('button', { name: 'Send the link' }).click()
  const link = await page.locator('dialog pre').innerText()
  const visit = await tests.visit(`/console/reset${linkIn(link)}`)
  await visit.getByLabel('New password').fill('quite another pass phrase')
  await expectAccessible(visit)
  await visit.getByRole('button', { name: 'Set the password' }).click()
  await visit.getByText('Your password is set').waitFor()
  await visit.getByRole('link', { name: 'Log in' }).click()
  await visit.getByLabel('Email').fill(editor.email)
  await visit.getByLabel('Password').fill('quite another pass phrase')
  await visit.getByRole('button', { name: 'Log in' }).click()
  await visit.getByText('editor user').first().waitFor()
})

test('a forgotten password is asked for from the login, and the answer says nothing of who there is', async () => {
  const page = await tests.visit('/console')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email').fill('unknown@example.com')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send a link' }).click()
  await page.getByText('If a member has this address').waitFor()
  await expectAccessible(page)
})
