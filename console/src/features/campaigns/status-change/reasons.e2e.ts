import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { campaignsOf, cellOf } from '../../../../test/grid.ts'

const tests = consoleTests()

async function running() {
  const organization = await tests.world().organization()
  const [made] = await campaignsOf(organization, [{ name: 'Spring sale', daily_budget: 480 }])
  await organization.owner.post(`/campaigns/${made?.id}/launch`)
  return { organization, id: made?.id ?? '' }
}

test('a pause waits for no reason, and gets it from its message', async () => {
  const { organization, id } = await running()
  const { page, client } = await tests.open({ organization, path: `/campaigns/${id}` })
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText('Spring sale is paused').waitFor()
  await main.getByText(/^Paused by Olga Owner/).waitFor()
  await page.getByRole('button', { name: 'Add a reason' }).click()
  await expectAccessible(page)
  await page.getByLabel('Reason', { exact: true }).fill('Landing page down')
  await page.keyboard.press('Enter')
  await page.getByText('The reason is kept').waitFor()
  await main.getByText('Landing page down').waitFor()
  const { status_change } = (await client.get(`/campaigns/${id}`)).json()
  expect(status_change).toMatchObject({ action: 'pause', reason: 'Landing page down' })
  await main.getByRole('link', { name: 'History' }).click()
  await main.getByRole('cell', { name: 'Landing page down' }).first().waitFor()
  await expectAccessible(page)
})

test('what was typed stays in the message where it cannot be saved', async () => {
  const { organization, id } = await running()
  const { page, client } = await tests.open({ organization, path: '/campaigns' })
  tests.expectComplaint(/412/)
  await cellOf(page, 'Spring sale', 'name').getByRole('link').focus()
  await page.keyboard.press('p')
  await page.getByRole('button', { name: 'Add a reason' }).click()
  await client.patch(`/campaigns/${id}`, { notes: 'Changed meanwhile' })
  await page.getByLabel('Reason', { exact: true }).fill('No stock')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await page.getByLabel('Reason', { exact: true }).inputValue()).toBe('No stock')
})

test('the overview says who paused it, why, and about how much was not spent', async () => {
  const { organization, id } = await running()
  const { owner } = organization
  await owner.post(`/campaigns/${id}/pause`, { reason: 'Landing page down' })
  const { page } = await tests.open({ organization, path: `/campaigns/${id}` })
  const main = page.getByRole('main')
  await main.getByText('Landing page down').waitFor()
  await page.clock.setFixedTime(Date.now() + 12 * 3_600_000)
  await page.reload()
  await main.getByText('about USD 240.00 not spent').waitFor()
  await expectAccessible(page)
})
