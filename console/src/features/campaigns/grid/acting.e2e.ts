import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTests, test } from '../../../../test/console.ts'
import { campaignsOf, cellOf, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests()

test('a campaign is paused at once, and resumed from the message', async () => {
  const organization = await tests.world().organization()
  const made = await campaignsOf(organization, [{ name: 'Spring sale' }, { name: 'Winter coats' }])
  for (const { id } of made) await organization.owner.post(`/campaigns/${id}/launch`)
  await organization.owner.post(`/campaigns/${made[1]?.id}/complete`)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Spring sale').getByRole('link').focus()
  await page.keyboard.press('p')
  await cellOf(page, 'Spring sale', 'status').getByText('Paused').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await cellOf(page, 'Spring sale', 'status').getByText('Active').waitFor()

  await rowOf(page, 'Winter coats').getByRole('link').focus()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('tooltip').getByText('Not possible while its status is completed.').waitFor()
  await page.keyboard.press('p')
  await page
    .getByText('Winter coats: Not possible while its status is completed.', { exact: true })
    .waitFor()
})

test('a message covers no action on chosen rows', async () => {
  const organization = await tests.world().organization()
  const [first] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  await organization.owner.post(`/campaigns/${first?.id}/launch`)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Spring sale').getByRole('checkbox').click()
  await rowOf(page, 'Spring sale').getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Undo' }).hover()
  const message = await boxOf(page.getByRole('button', { name: 'Add a reason' }))
  const actions = await boxOf(page.getByRole('button', { name: 'Budget…' }))
  expect(message.y + message.height).toBeLessThan(actions.y)
})

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('It is not shown.')
  return box
}

test('what is changed elsewhere is shown in place within 200 ms, and what would move is counted', async () => {
  const organization = await tests.world().organization()
  const [first] = await campaignsOf(organization, [
    { name: 'Spring sale' },
    { name: 'Winter coats' },
  ])
  const { page } = await tests.open({ organization, path: '/campaigns?status=draft' })
  await rowOf(page, 'Spring sale').waitFor()
  await tests.untilLive(page)
  await rowOf(page, 'Spring sale').hover()
  let daily_budget = 250
  const msToShow = async () => {
    daily_budget += 1
    const shown = page.getByText(`USD ${daily_budget}.00`).waitFor()
    await organization.owner.patch(`/campaigns/${first?.id}`, { daily_budget })
    const answeredAt = performance.now()
    await shown
    return performance.now() - answeredAt
  }
  // Other work on the machine may make one late; a wait of the console’s own would make all.
  await expect.poll(msToShow).toBeLessThan(200)
  expect(await page.getByText(/reload/).count()).toBe(0)

  await organization.owner.post(`/campaigns/${first?.id}/launch`)
  await cellOf(page, 'Spring sale', 'status').getByText('Active').waitFor()
  await page.getByRole('button', { name: '1 change, reload' }).click()
  await rowOf(page, 'Spring sale').waitFor({ state: 'detached' })
  await rowOf(page, 'Winter coats').waitFor()
})

test('rows that no one works with come and go by themselves', async () => {
  const organization = await tests.world().organization()
  const [first] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Spring sale').waitFor()
  await tests.untilLive(page)
  await campaignsOf(organization, [{ name: 'Winter coats' }])
  await rowOf(page, 'Winter coats').waitFor()
  await organization.owner.delete(`/campaigns/${first?.id}`)
  await rowOf(page, 'Spring sale').waitFor({ state: 'detached' })
})
