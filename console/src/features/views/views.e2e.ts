import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { made } from '../../../../server/test/support/cases/writes.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'
import { campaignsOf, rowOf } from '../../../test/grid.ts'

const tests = consoleTests()

const choose = async (page: Page, button: string | RegExp, item: string) => {
  await page.getByRole('main').getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menu').getByText(item, { exact: true }).click()
}

test('a view is saved, shared, and opens the same for a colleague by its link', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale' }, { name: 'Winter coats' }])
  const { page } = await tests.open({ organization, path: '/campaigns?q=sale&columns=labels' })
  await choose(page, 'Views', 'Save this view…')
  await page.getByLabel('Name').fill('Sales')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByText('Sales is saved for you').waitFor()
  const [view] = (await organization.owner.get('/views')).json().data
  expect(view).toMatchObject({
    resource: 'campaigns',
    query: 'q=sale',
    columns: ['labels'],
    shared: false,
  })

  const viewer = await organization.as('viewer')
  const path = `/campaigns?view=${view.id}`
  const early = await tests.open({ organization, client: viewer, path })
  tests.expectComplaint(/404/)
  await early.page.getByText('That view is gone, or not shared with you').waitFor()
  await choose(page, 'Sales', 'Share Sales')
  await page.getByText('Sales is shared with the organization').waitFor()

  const colleague = await tests.open({ organization, client: viewer, path })
  await rowOf(colleague.page, 'Spring sale').waitFor()
  await expect.poll(() => new URL(colleague.page.url()).search).toBe('?q=sale&columns=labels')
  await colleague.page.getByRole('button', { name: 'Sales', exact: true }).click()
  await colleague.page.getByRole('menuitem', { name: 'Copy its link' }).waitFor()
  expect(await colleague.page.getByText('Delete Sales').count()).toBe(0)
  await expectAccessible(colleague.page)
})

test('a view that was changed is saved again, deleted, and made again', async () => {
  const organization = await tests.world().organization()
  const body = { resource: 'results', name: 'By day', query: 'group_by=day', shared: true }
  await made(organization.owner, '/views', body)
  const { page } = await tests.open({ organization, path: '/results' })
  await choose(page, 'Views', 'By day')
  await page.getByRole('button', { name: 'By day', exact: true }).waitFor()
  await page.getByLabel('Group by').selectOption('client')
  await choose(page, 'Views', 'Save changes to By day')
  await page.getByText('By day is saved', { exact: true }).waitFor()
  const views = async () => (await organization.owner.get('/views')).json().data
  expect(await views()).toMatchObject([{ query: 'group_by=client', version: 2 }])

  await choose(page, 'By day', 'Delete By day')
  await page.getByText('The view By day is deleted').waitFor()
  expect(await views()).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(views).toMatchObject([{ name: 'By day', shared: true, version: 1 }])
})

test.each([
  ['pacing', 'All of pacing', 'status=over'],
  ['deployments', 'All deployments', 'state=drifted'],
])('%s has views, each of its list alone', async (resource, whole, query) => {
  const organization = await tests.world().organization()
  await made(organization.owner, '/views', { resource: 'campaigns', name: 'Others' })
  const id = await made(organization.owner, '/views', { resource, name: 'Amiss', query })
  const { page } = await tests.open({ organization, path: `/${resource}?view=${id}` })
  await page.getByRole('button', { name: 'Amiss', exact: true }).click()
  expect(new URL(page.url()).search).toBe(`?${query}`)
  expect(await page.getByRole('menu').getByText('Others').count()).toBe(0)
  await page.getByRole('menuitem', { name: whole }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('')

  const wrong = await tests.open({ organization, path: `/results?view=${id}` })
  await wrong.page.getByText('That view is of another list').waitFor()
})
