import { expect } from 'vitest'
import { countIn } from '../../../test/clicks.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

test('a new client with a plan and three campaigns takes at most 25 clicks', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const defaults = { objective: 'sales', daily_budget: 50, currency: 'USD' }
  await owner.post('/templates', { name: 'Always on', defaults })
  const { page } = await tests.open({ organization })
  const click = countIn(page)
  await click.screen('Clients')
  await click.button('New client')
  await page.getByLabel('Name').fill('Northwind')
  await click.select('Currency', 'USD')
  await click.button('Create client')
  await click.link('Plan')
  await page
    .getByRole('textbox', { name: /in USD/ })
    .first()
    .fill('12000')
  await click.button(/^Copy .* to the months after it$/)
  await click.button('Save the plan')
  await page.getByText('The plan is saved').waitFor()
  await click.link('Profiles')
  await click.button('New profile')
  await page.getByLabel('Name').fill('Northwind on Meta')
  await click.button('Create profile')
  await page.getByRole('heading', { name: 'Northwind on Meta', level: 1 }).waitFor()
  await click.button('New campaign')
  await click.focus('Template')
  await click.option(/Always on/)
  await page.getByText('= USD 50.00').or(page.locator('[name=daily_budget]')).first().waitFor()
  await page.getByLabel('Name').fill('Northwind 1')
  await click.button('Create campaign')
  for (const name of ['Northwind 2', 'Northwind 3']) {
    await click.button('Another like it')
    await page.getByRole('heading', { name: 'New campaign', level: 1 }).waitFor()
    await expect.poll(() => page.locator('[name=daily_budget]').inputValue()).not.toBe('')
    await page.getByLabel('Name').fill(name)
    await click.button('Create campaign')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
  }
  expect(click.made()).toBeLessThanOrEqual(25)
  const { id } = (await owner.get('/clients')).json().data[0]
  expect((await owner.get(`/campaigns?client_id=${id}`)).json().data).toHaveLength(3)
})

test('a colleague for one client takes at most six clicks', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id } = (await owner.post('/clients', { name: 'Northwind' })).json()
  const { page } = await tests.open({ organization })
  const click = countIn(page)
  await click.screen('Clients')
  await click.link('Northwind')
  await click.button('More')
  await click.item('Add a member who sees only it…')
  await page.getByText('Sees 1 client').waitFor()
  await expectAccessible(page)
  await page.getByRole('dialog').getByLabel('Email').fill('ada@example.com')
  await page.getByRole('dialog').getByLabel('Name').fill('Ada')
  await click.button('Add member')
  await page.getByText('Ada is a member').first().waitFor()
  expect(click.made()).toBeLessThanOrEqual(6)
  const { data } = (await owner.get('/members?q=ada')).json()
  expect(data[0].scope).toEqual({ client_ids: [id] })
})

test('the same goes by keyboard alone', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await owner.post('/clients', { name: 'Northwind' })
  const { page } = await tests.open({ organization })
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByRole('heading', { name: 'Clients', level: 1 }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('north')
  await expect.poll(() => page.url()).toContain('q=north')
  const link = page.getByRole('link', { name: 'Northwind' })
  await link.waitFor()
  await page.keyboard.press('Enter')
  await page.locator('a:focus', { hasText: 'Northwind' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Northwind', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'More' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Add a member who sees only it…' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Email').fill('grace@example.com')
  await page.getByRole('dialog').getByLabel('Name').fill('Grace')
  await page.keyboard.press('Enter')
  await page.getByText('Grace is a member').first().waitFor()
})

test.each([390, 1280, 1920])(
  'the screens of a client are accessible at %i pixels',
  async (width) => {
    const organization = await tests.world().organization()
    const { id } = (await organization.owner.post('/clients', { name: 'Northwind' })).json()
    const month = new Date(tests.world().clock.now()).toISOString().slice(0, 7)
    await organization.owner.put(`/clients/${id}/budgets/${month}`, { amounts: { USD: 12_000 } })
    const { page } = await tests.open({ organization, path: '/clients' })
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('link', { name: 'Northwind' }).waitFor()
    await expectAccessible(page)
    for (const tab of ['overview', 'plan', 'pacing']) {
      await page.goto(`${tests.origin()}/console/clients/${id}?tab=${tab}`)
      await page.getByRole('heading', { name: 'Northwind', level: 1 }).waitFor()
      await page.getByText(/USD/).first().waitFor()
      await expectAccessible(page)
    }
  },
)
