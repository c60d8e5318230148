import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { campaignOf } from '../../../test/campaigns.ts'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

type Device = { touch?: boolean; width?: number }

const tests = consoleTests()

const sectionsOf = (page: Page) =>
  page.getByRole('navigation', { name: 'Sections of the campaign' })

const open = async (tab: string, fields: object = {}, device: Device = {}) => {
  const organization = await tests.world().organization()
  const campaign = await campaignOf(organization.owner, fields)
  const path = `/campaigns/${campaign.id}?tab=${tab}`
  const { page } = await tests.open({ organization, path, ...device })
  return { organization, campaign, page, path, owner: organization.owner }
}

test('every section is in sight on a telephone', async () => {
  const { page } = await open('overview', {}, { touch: true, width: 360 })
  for (const name of ['Overview', 'Pacing', 'Schedule', 'History', 'Audit', 'Events']) {
    const box = await sectionsOf(page).getByRole('link', { name, exact: true }).boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= 360).toBe(true)
  }
  await sectionsOf(page).getByRole('link', { name: 'Events' }).tap()
  await page.waitForURL(/tab=events/)
})

test('a week is painted by a finger: taps paint, a drag scrolls the page', async () => {
  const { page, owner, campaign } = await open('schedule', {}, { touch: true, width: 390 })
  const cell = (name: string) => page.getByRole('gridcell', { name, exact: true })
  await cell('Monday 09:00–10:00').tap()
  await page.getByText('Open 1 hour a week.').waitFor()
  await cell('Tuesday 09:00–10:00').tap()
  await cell('Monday 09:00–10:00').tap()
  await page.getByRole('button', { name: 'Saturday, all day' }).tap()
  await page.getByText('Open 25 hours a week.').waitFor()
  await drag(page, cell('Wednesday 09:00–10:00'), -200)
  await page.getByText('Open 25 hours a week.').waitFor()
  expect(await page.getByRole('main').evaluate((main) => main.scrollTop)).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Save schedule' }).tap()
  await page.getByText('The week schedule is saved').waitFor()
  const { schedule } = (await owner.get(`/campaigns/${campaign.id}`)).json()
  expect(schedule).toEqual([
    { day: 'tue', start: '09:00', end: '10:00' },
    { day: 'sat', start: '00:00', end: '24:00' },
  ])
})

/** One finger from the middle of an element, down or up. */
async function drag(page: Page, from: Locator, by: number): Promise<void> {
  await from.scrollIntoViewIfNeeded()
  const box = await from.boundingBox()
  if (!box) throw new Error('It is not shown')
  const x = box.x + box.width / 2
  const y = box.y + box.height / 2
  const touches = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: readonly number[]) =>
    touches.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: at.map((each) => ({ x, y: each })),
    })
  await send('touchStart', [y])
  for (let step = 1; step <= 10; step += 1) await send('touchMove', [y + (by * step) / 10])
  await send('touchEnd', [])
}

test('a week is painted by the mouse, by the keyboard, and typed', async () => {
  const { page, owner, campaign } = await open('schedule', { time_zone: 'Europe/Berlin' })
  await page.getByText('Open always: no hours are chosen.').waitFor()
  const cell = (name: string) => page.getByRole('gridcell', { name })
  await cell('Monday 09:00–10:00').hover()
  await page.mouse.down()
  await cell('Wednesday 11:00–12:00').hover()
  await page.mouse.up()
  await page.getByText('Open 9 hours a week.').waitFor()

  await cell('Wednesday 11:00–12:00').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  expect(await cell('Thursday 13:00–14:00').getAttribute('aria-selected')).toBe('true')
  const text = page.getByLabel('Exact hours')
  expect(await text.inputValue()).toContain('Thu')
  await text.fill('mon-fri 09:00-17:30\nFri 22:00–02:00')
  await page.getByText('Open 46.5 hours a week.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Reason').fill('Shop hours')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByText('The week schedule is saved').waitFor()
  const { schedule } = (await owner.get(`/campaigns/${campaign.id}`)).json()
  expect(schedule).toHaveLength(7)
  expect(schedule).toContainEqual({ day: 'sat', start: '00:00', end: '02:00' })
  await page.getByRole('cell', { name: '8 h 30 min' }).first().waitFor()
})

test('windows over a change of the clocks are shown as they will be', async () => {
  const schedule = [{ day: 'sun', start: '01:00', end: '05:00' }]
  const { page } = await open('schedule', { time_zone: 'Europe/Berlin', schedule })
  // Else the week from now may itself be the one in which the clocks change.
  await page.clock.setFixedTime('2030-01-14T12:00:00Z')
  await page.reload()
  await page.getByRole('button', { name: 'Show the days around it' }).click()
  await page.getByText(/Clocks go from 02:00 to 03:00|Clocks go from 03:00 to 02:00/).waitFor()
  await page.getByRole('cell', { name: /^(?:3|5) h$/ }).waitFor()
  await page.getByRole('button', { name: 'From now' }).click()
  await page.getByRole('cell', { name: '4 h', exact: true }).waitFor()
})

test('what cannot be read as hours is said, and too many windows stand at the field', async () => {
  const { page } = await open('schedule')
  const text = page.getByLabel('Exact hours')
  await text.fill('Mon 9 to 5')
  await page.getByText('Line 1 is not like').waitFor()
  const hours = Array.from({ length: 8 }, (_, at) => `${10 + at}:00-${10 + at}:30`).join(', ')
  await text.fill(`mon-sun ${hours}`)
  tests.expectComplaint(/422/)
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await page
    .getByText(/must have at most 42/)
    .first()
    .waitFor()
})

test('a version shows what it changed and how it was then, and is reverted to', async () => {
  const { page, owner, campaign } = await open('history')
  await owner.patch(`/campaigns/${campaign.id}`, { name: 'Summer Sale 2026', daily_budget: 99.5 })
  await page.getByRole('button', { name: 'Version 2' }).click()
  await page.getByRole('cell', { name: 'USD 99.50' }).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Version 1' }).click()
  await page.getByRole('heading', { name: 'As it was then' }).waitFor()
  await page.getByRole('cell', { name: 'Summer Sale 2026' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Revert to this version…' }).click()
  await page
    .getByRole('dialog', { name: 'Revert Summer Sale 2026' })
    .getByText('USD 33.51')
    .waitFor()
  await page.getByRole('button', { name: 'Revert', exact: true }).click()
  await page.getByRole('heading', { name: 'Spring Sale 2026', level: 1 }).waitFor()
  const stored = (await owner.get(`/campaigns/${campaign.id}`)).json()
  expect(stored).toMatchObject({ version: 3, daily_budget: 33.51 })
})

test('the audit records and the events of a campaign are at hand', async () => {
  const { page, owner, campaign, organization, path } = await open('audit')
  await owner.patch(
    `/campaigns/${campaign.id}`,
    { notes: 'Agreed' },
    { 'x-audit-reason': 'As asked' },
  )
  await page.getByRole('button', { name: 'Updated' }).click()
  await page.getByRole('dialog').getByText('As asked').waitFor()
  await page.getByRole('cell', { name: 'Agreed' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Close' }).click()
  await sectionsOf(page).getByRole('link', { name: 'Events' }).click()
  await page.getByRole('button', { name: 'campaign.created' }).click()
  await page.getByRole('dialog').getByText('"api_version"').waitFor()

  const { page: viewers } = await tests.open({ organization, path, role: 'viewer' })
  const sections = sectionsOf(viewers)
  await sections.getByRole('link', { name: 'History' }).click()
  await viewers.getByRole('button', { name: 'Version 2' }).waitFor()
  expect(await sections.locator('[aria-current]').allTextContents()).toEqual(['History'])
  expect(await sections.getByRole('link', { name: 'Audit' }).count()).toBe(0)
  expect(await sections.getByRole('link', { name: 'Events' }).count()).toBe(0)
})

test('a campaign becomes a template, with what is locked', async () => {
  const { page, owner } = await open('overview')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Save as template…' }).click()
  await page.getByLabel('Name').fill('Seasonal sale')
  await page.getByLabel('Lock objective').check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('The template Seasonal sale is saved').waitFor()
  const [template] = (await owner.get('/templates')).json().data
  expect(template).toMatchObject({ name: 'Seasonal sale', locked_fields: ['objective'] })
})
