import { expect } from 'vitest'
import type { Client } from '../../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'

const tests = consoleTests()

async function northwind(owner: Client): Promise<string> {
  return (await owner.post('/clients', { name: 'Northwind', currency: 'USD' })).json().id
}

const range = 'from=2027-01&to=2027-12'

const amountsOf = async (owner: Client, id: string) => {
  const { data } = (await owner.get(`/clients/${id}/budgets?${range}`)).json()
  return data.map(({ amounts }: { amounts: { amount: number }[] | null }) => amounts?.[0]?.amount)
}

test('a year is typed once, copied forward, and saved together', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const id = await northwind(owner)
  const path = `/clients/${id}?tab=plan&from=2027-01`
  const { page } = await tests.open({ organization, path })
  await page.getByLabel('Jan 2027 in USD').fill('1,500')
  await page.getByText('= USD 1,500.00').waitFor()
  await page.getByRole('button', { name: 'Copy Jan 2027 to the months after it' }).click()
  await page.getByLabel('Dec 2027 in USD').fill('3000')
  await page.getByLabel('Note of Dec 2027').fill('Christmas')
  await page
    .getByRole('row', { name: /In all/ })
    .getByText('19,500.00')
    .waitFor()
  await expectAccessible(page)
  await page.getByLabel('Reason').fill('Signed')
  await page.getByRole('button', { name: 'Save the plan' }).click()
  await page.getByText('The plan is saved').waitFor()
  expect(await amountsOf(owner, id)).toEqual([...Array(11).fill(1500), 3000])

  await page.getByLabel('Feb 2027 in USD').fill('')
  await page.getByRole('button', { name: 'Save the plan' }).click()
  await expect.poll(async () => (await amountsOf(owner, id))[1]).toBeUndefined()
})

test('faults stand in their cells, and nothing is saved before they are mended', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const id = await northwind(owner)
  const path = `/clients/${id}?tab=plan&from=2027-01`
  const { page } = await tests.open({ organization, path })
  tests.expectComplaint(/422/)
  await page.getByLabel('Jan 2027 in USD').fill('1500')
  const wrong = page.getByLabel('Feb 2027 in USD')
  await wrong.fill('1.5.5')
  await page.getByRole('button', { name: 'Save the plan' }).click()
  await expect.poll(() => wrong.getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
  expect(await amountsOf(owner, id)).toEqual(Array(12).fill(undefined))
  await wrong.fill('1600')
  await page.getByRole('button', { name: 'Save the plan' }).click()
  await page.getByText('The plan is saved').waitFor()
  expect((await amountsOf(owner, id)).slice(0, 2)).toEqual([1500, 1600])
})

test('what another person planned meanwhile is shown before it is overwritten', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const id = await northwind(owner)
  await owner.put(`/clients/${id}/budgets/2027-01`, { amounts: { EUR: 10, USD: 100 } })
  const path = `/clients/${id}?tab=plan&from=2027-01`
  const { page } = await tests.open({ organization, path })
  tests.expectComplaint(/412/)
  await page.getByLabel('Jan 2027 in USD').fill('200')
  await owner.put(`/clients/${id}/budgets/2027-01`, { amounts: { EUR: 55, USD: 100 } })
  await page.getByRole('button', { name: 'Save the plan' }).click()
  await page.getByText('Another person changed the plan meanwhile.').waitFor()
  await expect.poll(() => page.getByLabel('Jan 2027 in EUR').inputValue()).toBe('55.00')
  await page.getByRole('button', { name: 'Save the plan' }).click()
  await page.getByText('The plan is saved').waitFor()
  const { data } = (await owner.get(`/clients/${id}/budgets?${range}`)).json()
  expect(data[0].amounts.map(({ amount }: { amount: number }) => amount)).toEqual([55, 200])
})

test('a viewer reads the plan', async () => {
  const organization = await tests.world().organization()
  const id = await northwind(organization.owner)
  const path = `/clients/${id}?tab=plan&from=2027-01`
  const { page } = await tests.open({ organization, path, role: 'viewer' })
  await page.getByLabel('Jan 2027 in USD').waitFor()
  expect(await page.getByLabel('Jan 2027 in USD').isEditable()).toBe(false)
})

test('a plan of several currencies scrolls by itself on a telephone', async () => {
  const organization = await tests.world().organization()
  const id = await northwind(organization.owner)
  const amounts = { USD: 1500, EUR: 300, GBP: 200 }
  await organization.owner.put(`/clients/${id}/budgets/2027-01`, { amounts })
  const path = `/clients/${id}?tab=plan&from=2027-01`
  const { page } = await tests.open({ organization, path, width: 390, touch: true })
  await page.getByLabel('Jan 2027 in GBP').waitFor()
  const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await page.evaluate(width)).toBeLessThanOrEqual(0)
})
