import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

test('the clock of a sandbox is moved by steps and to a time', async () => {
  const organization = await tests.world().organization({ sandbox: true })
  const { page, client } = await tests.open({ organization, path: '/sandbox' })
  await page.getByRole('banner').getByText('Sandbox').first().waitFor()
  await page.getByText('Not ahead').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: '1 day' }).click()
  await page.getByText('1 day', { exact: true }).nth(1).waitFor()
  expect((await client.get('/sandbox')).json().ahead_ms).toBe(86_400_000)
  await page.getByRole('button', { name: 'To a time…' }).click()
  await page.getByLabel('Time', { exact: true }).fill('2030-01-01T00:00')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Move the clock' }).click()
  await page.getByText('Jan 01, 2030, 00:00').waitFor()
})

test('a clock never goes back: the form says so', async () => {
  const organization = await tests.world().organization({ sandbox: true })
  const { page } = await tests.open({ organization, path: '/sandbox?open=clock' })
  tests.expectComplaint(/422/)
  await page.getByLabel('Time', { exact: true }).fill('2020-01-01T00:00')
  await page.getByRole('button', { name: 'Move the clock' }).click()
  const time = page.getByLabel('Time', { exact: true })
  await expect.poll(() => time.getAttribute('aria-invalid')).toBe('true')
})

test('a reset names the organization, and empties it', async () => {
  const organization = await tests.world().organization({ sandbox: true, name: 'Playground' })
  await organization.owner.post('/profiles', { name: 'Contoso' })
  const { page, client } = await tests.open({ organization, path: '/sandbox' })
  await page.getByRole('button', { name: 'Reset…' }).click()
  await page.getByRole('heading', { name: 'Reset Playground?' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reset Playground' }).click()
  await page.getByText('Playground is reset').waitFor()
  expect((await client.get('/profiles')).json().data).toEqual([])
})

test('a viewer sees the clock, and who may move it', async () => {
  const organization = await tests.world().organization({ sandbox: true })
  const { page } = await tests.open({ organization, path: '/sandbox', role: 'viewer' })
  for (const name of ['1 hour', 'To a time…', 'Reset…']) {
    const button = page.getByRole('button', { name })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
  }
})

test('elsewhere there is no badge, no link, and an explanation', async () => {
  tests.expectComplaint(/409/)
  const { page } = await tests.open({ path: '/sandbox' })
  await page.getByText('This organization is not a sandbox').waitFor()
  await expectAccessible(page)
  expect(await page.getByRole('link', { name: 'Sandbox' }).count()).toBe(0)
})

test('ages go by the clock of the sandbox, those of logins by real time', async () => {
  const organization = await tests.world().organization({ sandbox: true })
  const { page, client } = await tests.open({ organization, path: '/sandbox' })
  await client.post('/profiles', { name: 'Contoso' })
  await page.getByRole('button', { name: '7 days' }).click()
  await page.getByText('7 days', { exact: true }).nth(1).waitFor()
  const screens = page.getByRole('navigation', { name: 'Screens' })
  await screens.getByRole('link', { name: 'Profiles' }).click()
  await page.getByRole('row', { name: 'Contoso' }).getByText('7 days ago').waitFor()
  await client.post('/profiles', { name: 'Fabrikam' })
  await page
    .getByRole('row', { name: 'Fabrikam' })
    .getByText(/now|sec/)
    .waitFor()
  await page.reload()
  await page.getByRole('row', { name: 'Contoso' }).getByText('7 days ago').waitFor()
  await screens.getByRole('link', { name: 'Account' }).click()
  const opened = page.getByRole('table').locator('time').first()
  await expect.poll(() => opened.innerText()).toMatch(/now|sec|min/)
})
