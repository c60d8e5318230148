import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { guard } from '../../../../server/test/support/clients/second-factor.ts'
import { password } from '../../../../server/test/support/world.ts'
import { authenticatorOf } from '../../../test/authenticator.ts'
import { consoleTests, expectAccessible, screens, test } from '../../../test/console.ts'

const tests = consoleTests({ isNamed: true })

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey…' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Go on' }).click()
}

async function logInBy(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

async function logOut(page: Page): Promise<void> {
  await page.goto(`${tests.origin()}/console/account`)
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor()
}

test('a passkey is added, logs in as the second factor and alone, and is removed', async () => {
  const { page, client } = await tests.open({ path: '/account' })
  await using authenticator = await authenticatorOf(page)
  tests.expectComplaint(/401/)
  await page.getByRole('button', { name: 'Add a passkey…' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await addPasskey(page, 'Laptop')
  await page.getByText('Store them now: they are shown this once.').waitFor()
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByRole('row', { name: /^Laptop In use/ }).waitFor()
  await page.getByText('10 left').waitFor()
  await logOut(page)

  await logInBy(page, client.email)
  const usePasskey = page.getByRole('button', { name: 'Use a passkey' })
  await usePasskey.waitFor()
  await expectAccessible(page)
  await authenticator.agree(false)
  await usePasskey.click()
  await page.getByText('No passkey was used').waitFor()
  await authenticator.agree(true)
  await usePasskey.click()
  await screens(page).waitFor()
  await logOut(page)

  await expectAccessible(page)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await screens(page).waitFor()
  await page.goto(`${tests.origin()}/console/account`)
  await page.getByRole('button', { name: 'Remove Laptop' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Laptop is removed').waitFor()
  await page.getByText('None: your password alone lets you in.').waitFor()
  expect((await client.get('/auth/factors')).json().data ?? []).toEqual([])
})

test('what needs a recent login takes a passkey in place', async () => {
  const organization = await tests.world().organization()
  await guard(tests.world(), organization.owner)
  const { page } = await tests.open({ organization, path: '/account' })
  await using _ = await authenticatorOf(page)
  tests.expectComplaint(/40[13]/)
  await addPasskey(page, 'Blue key')
  await page.getByRole('row', { name: /^Blue key In use/ }).waitFor()
  tests.world().clock.advance(16 * 60_000)
  await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('This needs a login of the last 15 minutes.').waitFor()
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByText('Authenticator app is removed').waitFor()
})

test('a device is added once, and a passkey of no one is refused in plain words', async () => {
  const { page, client } = await tests.open({ path: '/account' })
  await using _ = await authenticatorOf(page)
  tests.expectComplaint(/401/)
  await addPasskey(page, 'Laptop')
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByRole('row', { name: /^Laptop In use/ }).waitFor()
  await addPasskey(page, 'Laptop again')
  await page.getByText('This device has one for your account already.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  const { data } = (await client.get('/auth/factors')).json()
  for (const { id } of data) await client.delete(`/auth/factors/${id}`)
  await logOut(page)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByText('The passkey is not one of this service').waitFor()
})
