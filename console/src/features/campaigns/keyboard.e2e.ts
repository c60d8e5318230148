import { expect } from 'vitest'
import { password } from '../../../../server/test/support/world.ts'
import { profileOf } from '../../../test/campaigns.ts'
import { consoleTests, test } from '../../../test/console.ts'

const tests = consoleTests()

test('from the login to a launched campaign by the keyboard alone', async () => {
  const { owner } = await tests.world().organization()
  await profileOf(owner, { currency: 'EUR' })
  // A refusal shows that no one is logged in.
  tests.expectComplaint(/401/)
  const page = await tests.visit('/console')
  const { keyboard } = page
  await page.getByLabel('Email').waitFor()
  await keyboard.type(owner.email)
  await keyboard.press('Tab')
  await keyboard.type(password)
  await keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()

  await keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await keyboard.type('new campaign')
  await page.getByRole('option', { name: 'New campaign' }).waitFor()
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New campaign' }).waitFor()
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      const focused = page.locator('body, :focus').last()
      const label = await focused.evaluate(
        ({ labels, textContent }) => labels?.[0]?.textContent ?? textContent,
      )
      if (label.startsWith(name)) return
      await keyboard.press('Tab')
    }
    expect.fail(`No Tab leads to ${name}`)
  }
  await tabTo('Name')
  await keyboard.type('Autumn Sale')
  await tabTo('Profile')
  await keyboard.type('north')
  await page.getByRole('option', { name: 'Northwind on Meta' }).waitFor()
  await keyboard.press('Enter')
  await tabTo('Objective')
  await keyboard.type('Sales')
  await tabTo('Daily budget')
  await keyboard.type('25')
  await page.getByText('EUR, as its profile has.').waitFor()
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Autumn Sale', level: 1 }).waitFor()
  await tabTo('Launch…')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Launch Autumn Sale?' }).waitFor()
  await tabTo('Launch')
  await keyboard.press('Enter')
  await page.getByText('Delivers now').waitFor()
  const [campaign] = (await owner.get('/campaigns')).json().data
  expect(campaign).toMatchObject({ name: 'Autumn Sale', status: 'active', daily_budget: 25 })
})
