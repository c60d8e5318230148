import { expect } from 'vitest'
import { guard, timeCode } from '../../../../server/test/support/clients/second-factor.ts'
import { password } from '../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

const logInAgain = (email: string) =>
  tests.world().anonymous.post('/auth/login', { email, password })

test('other sessions are ended one by one', async () => {
  const organization = await tests.world().organization()
  await logInAgain(organization.owner.email)
  const { page, client } = await tests.open({ organization, path: '/account' })
  await page.getByText('This one').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^End the session of/ }).click()
  await page.getByText('The session has ended').waitFor()
  await expect.poll(async () => (await client.get('/auth/sessions')).json().data.length).toBe(1)
})

test('to log out everywhere ends all sessions, and leads to the login', async () => {
  const organization = await tests.world().organization()
  const other = (await logInAgain(organization.owner.email)).json()
  const { page } = await tests.open({ organization, path: '/account' })
  tests.expectComplaint(/401/)
  await page.getByRole('button', { name: 'Log out everywhere…' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Log out everywhere', exact: true }).click()
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  const headers = { authorization: `Bearer ${other.token}` }
  expect((await tests.world().anonymous.get('/auth/me', headers)).statusCode).toBe(401)
})

test('a password is changed; a wrong one is said at its form', async () => {
  const { page, client } = await tests.open({ path: '/account?open=password' })
  tests.expectComplaint(/401|422/)
  await page.getByLabel('Current password').fill('not this one at all')
  await page.getByLabel('New password').fill('another horse battery')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Change password' }).last().click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).last().click()
  await page.getByText('Your password is changed').waitFor()
  const login = { email: client.email, password: 'another horse battery' }
  expect((await tests.world().anonymous.post('/auth/login', login)).statusCode).toBe(200)
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('horse')
})

test('preferences apply at once, and after a reload', async () => {
  const { page } = await tests.open({ path: '/account', role: 'auditor' })
  await page.getByLabel('Theme').selectOption('Dark')
  await page.getByLabel('Rows').selectOption('Comfortable')
  await page.getByLabel('Single keys').selectOption('Off')
  const root = page.locator('html')
  expect(await root.getAttribute('data-theme')).toBe('dark')
  await page.reload()
  expect(await root.getAttribute('data-density')).toBe('comfortable')
  expect(await page.getByLabel('Single keys').inputValue()).toBe('off')
})

test('to log out leads to the login, which says once what is wrong', async () => {
  const { page, client } = await tests.open({ path: '/account' })
  tests.expectComplaint(/401/)
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  const logIn = page.getByRole('button', { name: 'Log in' })
  await page.getByLabel('Email').fill(client.email)
  await page.getByLabel('Password').fill('not this one at all')
  await logIn.click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').getByText('Email or password is wrong').count()).toBe(1)
  await page.getByLabel('Password').fill(password)
  await logIn.click()
  await page.getByRole('navigation').first().waitFor()
})

test('an app and recovery codes guard the login, which asks for them', async () => {
  const organization = await tests.world().organization()
  const { page, client } = await tests.open({ organization, path: '/account' })
  await page.getByRole('button', { name: 'Add an authenticator app…' }).click()
  await page.getByRole('img', { name: 'QR code for the app' }).waitFor()
  await expectAccessible(page)
  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  const now = () => tests.world().clock.now()
  tests.expectComplaint(/401/)
  await page.getByLabel('Code that the app shows').fill('000000')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Code that the app shows').fill(timeCode(secret, now(), -1))
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('Store them now: they are shown this once.').waitFor()
  await expectAccessible(page)
  const [recovery = ''] =
    /(?:[a-z2-9]{5}-){3}[a-z2-9]{5}/.exec(await page.getByRole('dialog').innerText()) ?? []
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByText('10 left').waitFor()
  await page.getByRole('button', { name: 'Log out', exact: true }).click()

  const logIn = async () => {
    await page.getByLabel('Email').fill(client.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByLabel('Code').waitFor()
  }
  await logIn()
  await expectAccessible(page)
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Code').fill(recovery)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  await page.goto(`${tests.origin()}/console/account`)
  await page.getByText('9 left').waitFor()
})

test('what needs a recent login asks for it in place, and goes on', async () => {
  const organization = await tests.world().organization()
  const { code } = await guard(tests.world(), organization.owner)
  const { page } = await tests.open({ organization, path: '/account' })
  tests.world().clock.advance(16 * 60_000)
  tests.expectComplaint(/401|403/)
  await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('This needs a login of the last 15 minutes.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByLabel('Code', { exact: true }).fill(code())
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Authenticator app is removed').waitFor()
})

test('who must have a second factor sets it up before anything else opens', async () => {
  const organization = await tests.world().organization()
  await guard(tests.world(), organization.owner)
  await organization.owner.patch('/organization', { require_second_factor: true })
  const client = await organization.as('editor')
  const { page } = await tests.open({ organization, client, path: '/campaigns' })
  await page.getByText('requires a second factor').waitFor()
  await expectAccessible(page)
  expect(await page.getByRole('navigation', { name: 'Screens' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Add an authenticator app…' }).click()
  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await page.getByLabel('Code that the app shows').fill(timeCode(secret, tests.world().clock.now()))
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
})
