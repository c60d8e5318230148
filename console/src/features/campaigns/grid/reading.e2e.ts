import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { campaignsOf, cellOf, manyCampaigns, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests()

test('an organization without campaigns says what to do', async () => {
  const { page } = await tests.open({ path: '/campaigns' })
  await page.getByText('No campaigns yet').waitFor()
  await expectAccessible(page)
})

test('campaigns are shown, filtered and sorted, and the address has it all', async () => {
  const organization = await tests.world().organization()
  const [, second] = await campaignsOf(organization, [
    { name: 'Spring sale', labels: ['spring'] },
    { name: 'Autumn sale', daily_budget: 50 },
    { name: 'Winter coats', daily_budget: 75.5 },
  ])
  await organization.owner.post(`/campaigns/${second?.id}/launch`)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Winter coats').getByText('USD 75.50').waitFor()
  expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('4')
  await expectAccessible(page)

  await page.getByLabel('Search campaigns').fill('sale')
  await rowOf(page, 'Winter coats').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Status', exact: true }).click()
  await page.getByLabel('Active').check()
  await rowOf(page, 'Spring sale').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  expect(new URL(page.url()).search).toBe('?q=sale&status=active')

  const copied = await tests.open({ organization, path: '/campaigns?q=sale&status=active' })
  await rowOf(copied.page, 'Autumn sale').waitFor()
  expect(await copied.page.getByRole('row').count()).toBe(2)

  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: 'Daily budget' }).click()
  await expect
    .poll(() => page.getByRole('link', { name: /sale|coats/ }).allInnerTexts())
    .toEqual(['Autumn sale', 'Winter coats', 'Spring sale'])
  expect(new URL(page.url()).search).toBe('?sort=daily_budget')
})

test('filters that nothing matches can be cleared', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale' }])
  const { page } = await tests.open({ organization, path: '/campaigns?label=winter&currency=EUR' })
  await page.getByText('No campaign matches').waitFor()
  await page.getByRole('button', { name: 'Remove the filter EUR' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await rowOf(page, 'Spring sale').waitFor()
})

test('a filter that the service refuses says so', async () => {
  const { page } = await tests.open({ path: '/campaigns?status=running' })
  tests.expectComplaint(/400/)
  await page
    .getByRole('alert')
    .getByText(/status/)
    .waitFor()
  await expectAccessible(page)
})

/** Whether a box is checked right after a click, before the address can have changed. */
const isCheckedAtOnce = (box: Locator) =>
  box.evaluate((input) => {
    if ('click' in input) input.click()
    return input.matches(':checked')
  })

test('columns are chosen, sized by the keyboard, and saved as a view', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale', external_id: 'crm-1' }])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Administration' }).click()
  await page.getByLabel('Version', { exact: true }).check()
  const version = page.getByLabel('Version', { exact: true })
  expect(await isCheckedAtOnce(version)).toBe(false)
  expect(await isCheckedAtOnce(version)).toBe(true)
  await page.locator(':focus').and(version).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await cellOf(page, 'Spring sale', 'external_id').getByText('crm-1').waitFor()
  await cellOf(page, 'Spring sale', 'version').getByText('1').waitFor()

  const head = page.getByRole('columnheader', { name: 'Status' })
  const before = (await head.boundingBox())?.width ?? 0
  await head.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(async () => (await head.boundingBox())?.width).toBe(before + 16)

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await page.getByLabel('Name').fill('For the auditor')
  await page.getByRole('button', { name: 'Save view' }).click()
  const parts = () => [...new URL(page.url()).searchParams].map(String).sort()
  const saved = parts()
  await page.getByRole('button', { name: 'For the auditor' }).click()
  await page.getByRole('menuitem', { name: 'All campaigns' }).click()
  await cellOf(page, 'Spring sale', 'delivery').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'For the auditor' }).click()
  await cellOf(page, 'Spring sale', 'external_id').waitFor()
  expect(parts()).toEqual(saved)
})

test('names stand above their columns where these are wider than the screen', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale' }])
  for (const width of [400, 1280, 2560]) {
    const path = '/campaigns?preset=administration'
    const { page } = await tests.open({ organization, path, width })
    const head = page.getByRole('columnheader', { name: 'Changed by' })
    await cellOf(page, 'Spring sale', 'updated_by').waitFor()
    const [above, below] = [
      await head.boundingBox(),
      await cellOf(page, 'Spring sale', 'updated_by').boundingBox(),
    ]
    expect(above).toMatchObject({ x: below?.x, width: below?.width })
  }
})

test('columns of text take room that is free, and those that were sized keep their width', async () => {
  const organization = await tests.world().organization()
  const name = 'Northwind Traders Europe on Google'
  const { owner } = organization
  const { id: profile_id } = (await owner.post('/profiles', { name })).json()
  await campaignsOf(organization, [{ name: 'Spring sale', profile_id }])
  const cell = (page: Page) => cellOf(page, 'Spring sale', 'profile')
  const widthAt = async (query: string) => {
    const { page } = await tests.open({ organization, path: `/campaigns${query}`, width: 2560 })
    await cell(page).getByText(name).waitFor()
    const cut = await cell(page)
      .getByText(name)
      .evaluate((text) => text.scrollWidth > text.clientWidth)
    return { cut, width: (await cell(page).boundingBox())?.width }
  }
  expect(await widthAt('')).toMatchObject({ cut: false })
  expect(await widthAt('?widths=profile:120')).toEqual({ cut: true, width: 120 })
})

test('the filtered list is saved as a file', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale' }, { name: 'Winter coats' }])
  const { page } = await tests.open({ organization, path: '/campaigns?q=winter' })
  await rowOf(page, 'Winter coats').waitFor()
  const begun = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /NDJSON/ }).click()
  const lines = await textOf((await begun).createReadStream())
  expect(lines.map((line) => JSON.parse(line).name)).toEqual(['Winter coats'])
})

async function textOf(stream: Promise<NodeJS.ReadableStream>): Promise<string[]> {
  let text = ''
  for await (const chunk of await stream) text += chunk
  return text.trim().split('\n')
}

test('ten thousand campaigns scroll, and are read as they come into sight', async () => {
  const organization = await tests.world().organization()
  await manyCampaigns(organization, 10_000)
  const { page } = await tests.open({ organization, path: '/campaigns' })
  await rowOf(page, 'Campaign 10000').waitFor()
  expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001')
  expect(await page.getByRole('row').count()).toBeLessThan(80)
  await page.getByText('10,000 campaigns').waitFor()
  await rowOf(page, 'Campaign 10000').getByRole('link').focus()
  for (let pages = 0; pages < 40; pages += 1) await page.keyboard.press('PageDown')
  const focused = page.locator('[role=grid] :focus')
  await expect.poll(() => focused.innerText()).toMatch(/^Campaign \d+$/)
  await page.keyboard.press('Control+End')
  await rowOf(page, 'Campaign 1').waitFor()
  expect(await page.getByRole('row').count()).toBeLessThan(80)
})
