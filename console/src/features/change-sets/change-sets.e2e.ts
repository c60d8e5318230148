import { expect } from 'vitest'
import type { Client } from '../../../../server/test/support/world.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

async function runningCampaign(owner: Client, name: string) {
  const profile = (await owner.post('/profiles', { name: `${name} account` })).json()
  const body = {
    name,
    objective: 'sales',
    profile_id: profile.id,
    currency: 'USD',
    daily_budget: 100,
  }
  const { id } = (await owner.post('/campaigns', body)).json()
  await owner.post(`/campaigns/${id}/launch`)
  return (await owner.get(`/campaigns/${id}`)).json()
}

const propose = async (client: Client, operations: object[], title = 'Weekend sale') =>
  (await client.post('/change_sets', { title, operations })).json()

test('a change set is looked at, applied, and undone by another one', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const campaign = await runningCampaign(owner, 'Spring sale')
  const { id } = await propose(owner, [
    { op: 'update', id: campaign.id, body: { daily_budget: '150.50' } },
    { op: 'action', id: campaign.id, action: 'pause' },
  ])
  const { page } = await tests.open({ organization, path: '/change-sets' })
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Weekend sale' }).click()
  await page.getByText('USD 150.50').waitFor()
  await page.getByText('USD 100.00', { exact: true }).first().waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Weekend sale is applied').waitFor()
  const applied = (await owner.get(`/campaigns/${campaign.id}`)).json()
  expect(applied).toMatchObject({ status: 'paused', daily_budget: 150.5 })

  await page.getByRole('button', { name: 'Undo…' }).click()
  await page.getByRole('heading', { name: 'Undo Weekend sale', level: 1 }).waitFor()
  await page.getByText('Nothing has changed yet').waitFor()
  const undone = page.getByRole('link', { name: 'another change set' })
  expect(await undone.getAttribute('href')).toContain(id)
  expect((await owner.get(`/campaigns/${campaign.id}`)).json()).toMatchObject({ status: 'paused' })
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Undo Weekend sale is applied').waitFor()
  const back = (await owner.get(`/campaigns/${campaign.id}`)).json()
  expect(back).toMatchObject({ status: 'active', daily_budget: 100 })
  expect((await owner.get(`/change_sets/${id}`)).json().status).toBe('applied')
})

test('what another person changed meanwhile is shown before it can be applied', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const campaign = await runningCampaign(owner, 'Autumn sale')
  const { id } = await propose(owner, [
    { op: 'update', id: campaign.id, body: { daily_budget: 120 } },
  ])
  await owner.patch(`/campaigns/${campaign.id}`, { labels: ['moved'] })
  const { page } = await tests.open({ organization, path: `/change-sets/${id}` })
  await page.getByText('Some of it has changed since it was tried out.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Try it out again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Try it out again' }).click()
  await page
    .getByText('Some of it has changed since it was tried out.')
    .waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Weekend sale is applied').waitFor()
})

test('an edit that cannot be applied says why', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const campaign = await runningCampaign(owner, 'Winter sale')
  const { id } = await propose(owner, [{ op: 'action', id: campaign.id, action: 'unarchive' }])
  const { page } = await tests.open({ organization, path: `/change-sets/${id}` })
  await page.getByText('1 of 1 edits cannot be applied.').waitFor()
  const apply = page.getByRole('button', { name: 'Apply' })
  expect(await apply.getAttribute('aria-disabled')).toBe('true')
  await expectAccessible(page)
})

test('a viewer reads a change set, and why it cannot be applied', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const campaign = await runningCampaign(owner, 'Summer sale')
  const { id } = await propose(owner, [
    { op: 'update', id: campaign.id, body: { daily_budget: 90 } },
  ])
  const { page } = await tests.open({ organization, role: 'viewer', path: `/change-sets/${id}` })
  await page.getByText('USD 90.00').waitFor()
  const buttons = page.getByRole('main').getByRole('button', { name: 'Apply' })
  await buttons.first().waitFor()
  for (const button of await buttons.all())
    expect(await button.getAttribute('aria-disabled')).toBe('true')
})

test('a spreadsheet becomes a change set, or is refused by row', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const campaign = await runningCampaign(owner, 'Sheet sale')
  const { page } = await tests.open({ organization, path: '/change-sets?open=csv' })
  const file = (version: string) => ({
    name: 'budgets.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`id,version,daily_budget\n${campaign.id},${version},75.25\n`),
  })
  const input = page.getByLabel('File', { exact: true })
  tests.expectComplaint(/422/)
  await input.setInputFiles(file('x'))
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByText('Correct these rows of the file.').waitFor()
  await page.getByRole('row', { name: '2 version must be' }).waitFor()
  expect(await page.getByText('Version must be').count()).toBe(0)
  await expectAccessible(page)
  const unknown = { ...file('1'), buffer: Buffer.from(`id,naem\n${'cmp_x,y\n'.repeat(1001)}`) }
  await input.setInputFiles(unknown)
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByText('Correct these rows of the file. Rows must have at most 1000.').waitFor()
  await page.getByRole('row', { name: '1 naem is not a known column' }).waitFor()
  await input.setInputFiles(file(`${campaign.version}`))
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('heading', { name: 'budgets.csv', level: 1 }).waitFor()
  await page.getByText('USD 75.25').waitFor()
  const [changeSet] = (await owner.get('/change_sets')).json().data
  expect(changeSet.source.kind).toBe('console')
})

test('an edit that raises spend waits with others, survives a reload, and is published', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const campaign = await runningCampaign(owner, 'Tray sale')
  const { page } = await tests.open({ organization, path: '/campaigns' })
  const cell = page.getByRole('gridcell', { name: 'USD 100.00' }).first()
  await cell.dblclick()
  await page.getByRole('dialog').locator('input').first().fill('140')
  await page.getByRole('button', { name: 'Publish later' }).click()
  await page.getByText('1 edit not published').waitFor()
  await page.getByText('+ USD 40.00 a day').waitFor()
  await expectAccessible(page)
  expect((await owner.get(`/campaigns/${campaign.id}`)).json().daily_budget).toBe(100)
  await page.reload()
  await page.getByText('1 edit not published').waitFor()
  await page.getByRole('button', { name: 'Review and publish' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('1 edit published').waitFor()
  expect((await owner.get(`/campaigns/${campaign.id}`)).json().daily_budget).toBe(140)
  await expect.poll(() => page.getByText('not published').count()).toBe(0)
})

test('a raise can wait once the decimals of its currency are read, however late', async () => {
  const organization = await tests.world().organization()
  await runningCampaign(organization.owner, 'Late currencies')
  const { page } = await tests.open({ organization, path: '/' })
  const held = Promise.withResolvers<void>()
  await page.route('**/v1/reference/currencies', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`${tests.origin()}/console/campaigns`)
  await page.getByRole('gridcell', { name: 'USD 100.00' }).first().dblclick()
  await page.getByRole('dialog').locator('input').first().fill('140')
  held.resolve()
  await page.getByRole('button', { name: 'Publish later' }).waitFor()
})
