import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

const begin = async () => (await tests.world().anonymous.post('/auth/login_code', {})).json()
const claim = async (secret: string) =>
  (await tests.world().anonymous.post('/auth/login_code/claim', { secret })).json()

test('a program is logged in by its code', async () => {
  const { page, client } = await tests.open({ path: '/device' })
  const { code, secret } = await begin()
  await page.getByLabel('Code').fill(code.toLowerCase())
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('Have you started this program yourself').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Log it in' }).click()
  await page.getByText('The program is logged in').waitFor()
  await expectAccessible(page)
  const { status, login } = await claim(secret)
  expect([status, login.user.email]).toEqual(['confirmed', client.email])
})

test('a program is refused, and an unknown code is said to be one', async () => {
  const { page } = await tests.open({ path: '/device', role: 'viewer' })
  const { code, secret } = await begin()
  await page.getByLabel('Code').fill('BBBB-BBBB')
  await page.keyboard.press('Enter')
  await page.getByText('No program waits for this code').waitFor()
  await page.getByLabel('Code').fill(code)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Refuse' }).click()
  await page.getByText('The program was refused').waitFor()
  expect(await claim(secret)).toEqual({ status: 'refused', login: null })
})
