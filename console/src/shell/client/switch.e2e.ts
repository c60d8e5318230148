import { expect } from 'vitest'
import type { TestOrganization } from '../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, screens, test } from '../../../test/console.ts'

const tests = consoleTests()

/** Two clients, each with a profile and a campaign. */
async function agency(): Promise<TestOrganization> {
  const organization = await tests.world().organization()
  const { owner } = organization
  for (const name of ['Northwind', 'Contoso']) {
    const profile = { name: `${name} on Meta`, client: name, currency: 'USD' }
    const { id: profile_id } = (await owner.post('/profiles', profile)).json()
    const sale = { name: `${name} Sale`, objective: 'sales', profile_id, daily_budget: 10 }
    expect((await owner.post('/campaigns', sale)).statusCode).toBe(201)
  }
  return organization
}

test('one client narrows all screens, until it is left by a click or by keys', async () => {
  const organization = await agency()
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await page.getByRole('link', { name: 'Contoso Sale' }).waitFor()
  await page.getByRole('button', { name: 'All clients: show one only' }).click()
  await page.getByRole('dialog').getByLabel('Client').fill('north')
  await page.getByRole('option', { name: /Northwind/ }).click()
  await page.getByText('Only Northwind is shown').waitFor()
  await page.getByRole('link', { name: 'Contoso Sale' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Northwind Sale' }).waitFor()
  await expectAccessible(page)

  await screens(page).getByRole('link', { name: 'Profiles' }).click()
  await page.getByRole('link', { name: 'Northwind on Meta' }).waitFor()
  expect(await page.getByRole('link', { name: 'Contoso on Meta' }).count()).toBe(0)
  expect(page.url()).toContain('client_id=cli_')
  await screens(page).getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('this screen is of all clients').waitFor()
  await expectAccessible(page)

  await page.goto(`${tests.origin()}/console/`)
  await page.getByText('Only Northwind is shown').waitFor()
  await page.getByRole('heading', { name: 'Last changes of all clients' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('n')
  await page.getByText('Only Northwind is shown').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'Last changes' }).waitFor()
  expect(await page.getByText('Only Northwind is shown').count()).toBe(0)
})

test('a link says itself which client it shows, whatever the last visit was of', async () => {
  const organization = await agency()
  const [{ id }] = (await organization.owner.get('/clients?sort=name')).json().data
  const { page } = await tests.open({ organization, path: `/profiles?client_id=${id}` })
  await page.getByText('Only Contoso is shown').waitFor()
  await page.getByRole('link', { name: 'Contoso on Meta' }).waitFor()
  await page.goto(`${tests.origin()}/console/profiles`)
  await page.getByRole('link', { name: 'Northwind on Meta' }).waitFor()
  await page.goto(`${tests.origin()}/console/profiles?client_id=${id}`)
  await page.getByRole('button', { name: 'Show all clients' }).click()
  await page.getByRole('link', { name: 'Northwind on Meta' }).waitFor()
})
