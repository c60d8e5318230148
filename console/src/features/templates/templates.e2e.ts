import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

const template = {
  name: 'Always-on search',
  defaults: { objective: 'sales', daily_budget: 33.51, currency: 'USD' },
  locked_fields: ['objective'],
}

test('a template is created with defaults and locked fields, changed and deleted', async () => {
  const { page, client } = await tests.open({ path: '/templates' })
  await page.getByText('No templates yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New template' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name of the template').fill('Always-on search')
  await form.getByText('Only fields with a default can be locked.').waitFor()
  await form.getByLabel('Objective').selectOption('sales')
  await form.getByRole('textbox', { name: 'Daily budget' }).fill('33,51')
  await form.getByLabel('Currency').selectOption('EUR')
  await form.getByLabel('Lock objective').check()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create template' }).click()
  await page.getByRole('heading', { name: 'Always-on search', level: 1 }).waitFor()
  await page.getByRole('row', { name: 'Objective Sales Locked' }).waitFor()
  await expectAccessible(page)
  const [made] = (await client.get('/templates')).json().data
  expect(made).toMatchObject({
    defaults: { objective: 'sales', daily_budget: 33.51, currency: 'EUR' },
    locked_fields: ['objective'],
  })

  await page.getByRole('button', { name: 'Lock currency' }).click()
  await page.getByRole('row', { name: 'Currency EUR Locked' }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await form.getByRole('textbox', { name: 'Daily budget' }).fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Daily budget/ }).waitFor({ state: 'detached' })
  const changed = (await client.get(`/templates/${made.id}`)).json()
  expect(changed.defaults).toEqual({ objective: 'sales', currency: 'EUR' })

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete template' }).click()
  await page.getByText('No templates yet').waitFor()
})

test('a campaign is begun from a template, which fixes what it locks', async () => {
  const organization = await tests.world().organization()
  const { id } = (await organization.owner.post('/templates', template)).json()
  const { page } = await tests.open({ organization, path: `/templates/${id}`, width: 360 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New campaign from it' }).click()
  await page.getByRole('heading', { name: 'New campaign', level: 1 }).waitFor()
  await expect.poll(() => page.getByLabel('Daily budget').inputValue()).toBe('33.51')
  expect(await page.getByLabel('Objective').isDisabled()).toBe(true)
})

test('an earlier version of a template comes back', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id } = (await owner.post('/templates', template)).json()
  await owner.patch(`/templates/${id}`, { name: 'Seasonal search' })
  const { page } = await tests.open({ organization, path: `/templates/${id}?tab=history` })
  await page.getByRole('button', { name: 'Version 1' }).click()
  await page.getByRole('button', { name: 'Revert to this version…' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Revert', exact: true }).last().click()
  await page.getByRole('heading', { name: 'Always-on search', level: 1 }).waitFor()
  expect((await owner.get(`/templates/${id}`)).json()).toMatchObject({ version: 3 })
})

test('a fault of a default stands at its field', async () => {
  const { page } = await tests.open({ path: '/templates?open=new' })
  tests.expectComplaint(/422/)
  const form = page.getByRole('dialog')
  await form.getByLabel('Name of the template').fill('Faulty')
  await form.getByRole('textbox', { name: 'Daily budget' }).fill('a lot')
  await form.getByRole('button', { name: 'Create template' }).click()
  const field = form.getByRole('textbox', { name: 'Daily budget' })
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
})

test('a viewer reads templates, and learns why they cannot be changed', async () => {
  const organization = await tests.world().organization()
  const { id } = (await organization.owner.post('/templates', template)).json()
  const path = `/templates/${id}`
  const { page } = await tests.open({ organization, path, role: 'viewer' })
  for (const name of ['New campaign from it', 'Edit', 'Unlock objective']) {
    const button = page.getByRole('button', { name })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
  }
  await expectAccessible(page)
})
