import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { campaignsOf, cellOf, manyCampaigns, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests()

const tray = (page: Page) => page.getByRole('region', { name: 'Edits not published' })

async function raise(page: Page, name: string, budget: string): Promise<void> {
  await cellOf(page, name, 'daily_budget').dblclick()
  await page.getByRole('dialog').locator('input').first().fill(budget)
  await page.getByRole('button', { name: 'Publish later' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Puts edits into the tray that were made elsewhere in the same browser. */
async function putInTray(page: Page, key: string, edits: readonly object[]): Promise<void> {
  const entry: [string, string] = [`flightdeck tray ${key}`, JSON.stringify(edits)]
  await page.evaluate(([name, text]) => localStorage.setItem(name, text), entry)
  await page.reload()
}

const budgetEdit = (id: string | undefined, name: string, daily_budget: number) => ({
  id,
  name,
  version: 1,
  body: { daily_budget },
  action: null,
})

async function twoRaised() {
  const organization = await tests.world().organization()
  const { owner } = organization
  const [spring, winter] = await campaignsOf(organization, [
    { name: 'Spring sale' },
    { name: 'Winter coats' },
  ])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Winter coats').waitFor()
  await raise(page, 'Spring sale', '140')
  await raise(page, 'Winter coats', '200')
  await tray(page).getByText('2 edits not published').waitFor()
  const budgets = async () => {
    const read = [spring, winter].map((each) => owner.get(`/campaigns/${each?.id}`))
    return (await Promise.all(read)).map((reply) => reply.json().daily_budget)
  }
  return { page, owner, winter, budgets }
}

test('an edit that fails is named with the reason, and is taken out alone', async () => {
  const { page, owner, budgets } = await twoRaised()
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 150 } })
  await page.reload()
  await tray(page).getByText('1 cannot be applied').waitFor()
  const fault = 'Max daily budget: 200 USD exceeds 150.'
  await tray(page).getByText(`Winter coats: ${fault}`).waitFor()
  await expectAccessible(page)
  await tray(page).getByRole('button', { name: 'Review and publish' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 edit cannot be applied.').waitFor()
  const first = dialog.getByRole('row').nth(1)
  for (const text of ['Winter coats', 'Daily budget: 200', fault]) {
    expect(await first.textContent()).toContain(text)
  }
  expect(await dialog.getByText(fault).count()).toBe(1)
  expect(await dialog.getByRole('button', { name: 'Publish now' }).count()).toBe(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remove Winter coats' }).click()
  await dialog.getByText('1 edit cannot be applied.').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('1 edit published').waitFor()
  expect(await budgets()).toEqual([140, 100])
})

test('a proposal that is refused shows at which edit', async () => {
  const { page, budgets } = await twoRaised()
  tests.expectComplaint(/422/)
  // As an older console may have left it.
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.startsWith('flightdeck tray ')) ?? ''
    const edits = JSON.parse(localStorage.getItem(key) ?? '[]')
    localStorage.setItem(key, JSON.stringify([edits[0], { ...edits[1], version: 0 }]))
  })
  await page.reload()
  await tray(page).getByText('1 cannot be applied').waitFor()
  await tray(page).getByText('Winter coats: Version').waitFor()
  await tray(page).getByRole('button', { name: 'Review and publish' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('row', { name: 'Winter coats' }).getByText('Version').waitFor()
  await dialog.getByRole('button', { name: 'Save for review' }).click()
  await dialog.getByText('Look at the edits that are marked.').waitFor()
  expect(await page.getByText('/operations').count()).toBe(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remove Winter coats' }).click()
  await dialog.getByText('1 edit cannot be applied').waitFor({ state: 'detached' })
  await dialog.getByText('Look at the edits').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('1 edit published').waitFor()
  expect(await budgets()).toEqual([140, 100])
})

test('what fails stays marked and first while the rest is tried again', async () => {
  const organization = await tests.world().organization()
  const { owner, id } = organization
  const names = ['Spring sale', 'Winter coats', 'Autumn hats']
  const made = await campaignsOf(
    organization,
    names.map((name) => ({ name })),
  )
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 150 } })
  const { page } = await tests.open({ organization, path: '/campaigns' })
  const edits = names.map((name, at) => budgetEdit(made[at]?.id, name, 140 + at * 20))
  await putInTray(page, `${id} ${owner.userId}`, edits)
  await tray(page).getByText('2 cannot be applied').waitFor()
  await tray(page).getByRole('button', { name: 'Review and publish' }).click()
  const dialog = page.getByRole('dialog')
  const rows = dialog.getByRole('row')
  await dialog.getByText('2 edits cannot be applied.').waitFor()
  const answer = Promise.withResolvers<void>()
  await page.route('**/change_sets?validate_only=true', async (route) => {
    await answer.promise
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Remove Winter coats' }).click()
  await dialog.getByText('1 edit cannot be applied.').waitFor()
  expect(await rows.nth(1).textContent()).toContain('180 USD exceeds 150.')
  expect(await rows.nth(2).textContent()).toContain('Spring sale')
  answer.resolve()
  await dialog.getByRole('button', { name: 'Remove Autumn hats' }).click()
  await dialog.getByRole('button', { name: 'Publish now' }).waitFor()
})

test('where more fail than the service names, their number is right', async () => {
  const organization = await tests.world().organization()
  const { owner, id } = organization
  const ids = await manyCampaigns(organization, 60)
  await owner.put('/organization/guardrails', { max_daily_budget: { USD: 150 } })
  const { page } = await tests.open({ organization, path: '/campaigns' })
  const edits = ids.map((each, at) => budgetEdit(each, `Campaign ${at + 1}`, 200))
  await putInTray(page, `${id} ${owner.userId}`, edits)
  await tray(page).getByText('60 cannot be applied').waitFor()
  await tray(page).getByRole('button', { name: 'Review and publish' }).click()
  await page.getByText('60 edits cannot be applied; the first 50 are shown.').waitFor()
  // It is read from its beginning, though its first field stands far below.
  expect(await page.locator(':focus').textContent()).toBe('Review and publish')
  const notice = await page.getByText('60 edits cannot be applied').boundingBox()
  expect(notice?.y).toBeGreaterThan(0)
})

test('the review says at each edit why it fails, in words', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const [spring, winter, autumn] = await campaignsOf(organization, [
    { name: 'Spring sale' },
    { name: 'Winter coats' },
    { name: 'Autumn hats' },
  ])
  const body = { daily_budget: 0.001, end_at: '2020-01-01T00:00:00Z' }
  const invalid = { objective: 'x', labels: 5, currency: 'x', time_zone: 'x', daily_budget: -1 }
  const operations = [
    { op: 'update', id: spring?.id, body },
    { op: 'action', id: winter?.id, action: 'resume' },
    { op: 'update', id: autumn?.id, body: invalid },
  ]
  const { id } = (await owner.post('/change_sets', { title: 'Weekend', operations })).json()
  const { page } = await tests.open({ organization, path: `/change-sets/${id}` })
  const editOf = (name: string) => page.getByRole('article').filter({ hasText: name })
  await editOf('Spring sale').getByText('Update: failed').waitFor()
  await editOf('Spring sale').getByText('Daily budget: USD has at most 2 decimals.').waitFor()
  await editOf('Spring sale').getByText('USD 0.001').waitFor()
  await editOf('Spring sale').getByText('USD 100').waitFor()
  await editOf('Spring sale').getByText('Jan 01, 2020, 00:00').waitFor()
  await editOf('Spring sale')
    .getByText(/decimals\. End must be /)
    .waitFor()
  await editOf('Winter coats').getByText('Resume: failed').waitFor()
  await editOf('Winter coats').getByText('cannot be resumed').waitFor()
  await editOf('Autumn hats')
    .getByText(/\. And \d more\.$/)
    .waitFor()
  expect(await page.getByText('/operations').count()).toBe(0)
  await expectAccessible(page)
})
