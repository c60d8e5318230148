import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { password } from '../../../server/test/support/world.ts'
import { campaignOf } from '../../test/campaigns.ts'
import { consoleTests, screens, test } from '../../test/console.ts'
import { campaignsOf, cellOf, rowOf } from '../../test/grid.ts'

const tests = consoleTests()

const focused = (page: Page, name: string | RegExp) =>
  page.locator(':focus').and(page.getByRole('button', { name })).waitFor()

/** Opened by the keyboard, it has the focus, keeps it, and gives it back. */
async function expectModal(page: Page, opener: string): Promise<void> {
  await page.getByRole('button', { name: opener, exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.locator('dialog:modal :focus').waitFor()
  for (let tabs = 0; tabs < 4; tabs += 1) {
    await page.keyboard.press('Shift+Tab')
    expect(await page.locator(':focus:not(dialog *)').count()).toBe(0)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await focused(page, opener)
}

test('dialogs keep the focus, and give it back to what opened them', async () => {
  const organization = await tests.world().organization()
  const { id, profile_id } = await campaignOf(organization.owner)
  const { page } = await tests.open({ organization, path: `/campaigns/${id}` })
  await expectModal(page, 'Launch…')
  await expectModal(page, 'Edit')
  await page.goto(`${tests.origin()}/console/profiles/${profile_id}`)
  await expectModal(page, 'Edit')
  await page.goto(`${tests.origin()}/console/profiles`)
  await expectModal(page, 'New profile')
})

test('panels and menus give the focus back at Escape, and close when it leaves them', async () => {
  const { page } = await tests.open({ path: '/campaigns' })
  for (const name of ['Columns', 'More filters', 'Status', 'Views']) {
    const button = page.getByRole('button', { name, exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.locator(':popover-open :focus').waitFor()
    await page.keyboard.press('Escape')
    await focused(page, name)
  }
  await page.keyboard.press('Enter')
  await page.locator(':popover-open :focus').waitFor()
  await page.keyboard.press('Tab')
  await focused(page, 'Columns')
  const status = page.getByRole('button', { name: 'Status', exact: true })
  await status.focus()
  await page.keyboard.press('Enter')
  await page.locator(':popover-open :focus').waitFor()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.locator(':popover-open').waitFor({ state: 'detached' })
})

test('a button closes by the mouse the panel that it opened; a press within leaves it open', async () => {
  const { page } = await tests.open({ path: '/campaigns' })
  const panel = page.locator(':popover-open')
  for (const name of ['Columns', 'More filters', 'Status', 'Views']) {
    const button = page.getByRole('button', { name, exact: true })
    await button.click()
    await panel.locator(':focus').waitFor()
    await button.click()
    await panel.waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Status', exact: true }).click()
  await panel.locator(':focus').waitFor()
  await panel.click({ position: { x: 3, y: 3 } })
  await panel.getByText('Active', { exact: true }).click()
  expect(await panel.getByLabel('Active', { exact: true }).isChecked()).toBe(true)
})

test('the editor of a cell keeps the focus, and gives it back to the cell', async () => {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale' }])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  const link = rowOf(page, 'Spring sale').getByRole('link')
  await link.focus()
  await page.keyboard.press('e')
  const editor = page.getByRole('dialog', { name: 'Name of Spring sale' })
  await editor.getByLabel('Name').waitFor()
  for (let tabs = 0; tabs < 6; tabs += 1) {
    await page.keyboard.press('Tab')
    expect(await editor.locator(':focus').count()).toBe(1)
  }
  await page.keyboard.press('Escape')
  await page.locator(':focus', { hasText: 'Spring sale' }).waitFor()
})

test('what is removed from a list passes the focus to its neighbour', async () => {
  const organization = await tests.world().organization()
  const { page } = await tests.open({ organization, path: '/profiles?open=new' })
  await page.getByLabel('Labels').fill('spring,retail,eu')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove retail' }).focus()
  await page.keyboard.press('Enter')
  await focused(page, 'Remove eu')
  await page.keyboard.press('Enter')
  await page.locator('input[name=labels]:focus').waitFor()
  await page.getByText('More: account').click()
  const add = page.getByRole('button', { name: 'Add a key' })
  await add.click()
  await add.click()
  await page.getByLabel('Key 1', { exact: true }).fill('crm_id')
  await page.getByRole('button', { name: 'Remove crm_id' }).focus()
  await page.keyboard.press('Enter')
  await focused(page, 'Remove key 1')
  await page.keyboard.press('Enter')
  await focused(page, 'Add a key')
})

test('rows that go pass the focus on: to the next row, and at last to the title', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const login = { email: owner.email, password }
  for (const _ of ['one', 'other']) await tests.world().anonymous.post('/auth/login', login)
  const { page } = await tests.open({ organization, path: '/account' })
  const ends = page.getByRole('button', { name: /End the session/ })
  await ends.first().focus()
  const before = await ends.count()
  await page.keyboard.press('Enter')
  await expect.poll(() => ends.count()).toBe(before - 1)
  await focused(page, /End the session/)
  await page.keyboard.press('Enter')
  await page.locator('h1:focus').waitFor()
})

async function gridWithStart() {
  const organization = await tests.world().organization()
  await campaignsOf(organization, [{ name: 'Spring sale' }])
  const { page } = await tests.open({ organization, path: '/campaigns' })
  const start = cellOf(page, 'Spring sale', 'run').getByRole('button')
  return { page, start }
}

const button = (page: Page, name: string) => page.getByRole('button', { name }).first()

test('to discard edits, to take that back and to dismiss a message leave the page where it is', async () => {
  const { page, start } = await gridWithStart()
  await start.click()
  await button(page, 'Dismiss').click()
  await page.evaluate(`history.pushState(null, '', '/console/errors')`)
  await page.getByRole('heading', { level: 1, name: 'Error codes' }).waitFor()
  const content = page.locator('main')
  await content.evaluate((main) => main.scrollTo({ top: 600 }))
  for (const name of ['Discard', 'Undo', 'Discard', 'Dismiss']) {
    await button(page, name).focus()
    await page.keyboard.press('Enter')
    await page.locator('h1:focus').waitFor()
    expect(await content.evaluate(({ scrollTop }) => scrollTop)).toBe(600)
  }
})

test('of two messages, the one that is left takes the focus', async () => {
  const { page, start } = await gridWithStart()
  for (const _ of ['first', 'second']) {
    await start.click()
    await button(page, 'Discard').click()
  }
  await button(page, 'Dismiss').focus()
  await page.keyboard.press('Enter')
  await focused(page, 'Dismiss')
})

test('after the last page of a list, the focus goes on at its end', async () => {
  const organization = await tests.world().organization()
  for (let at = 0; at < 60; at += 1)
    await organization.owner.post('/profiles', { name: `Profile ${at}` })
  const { page } = await tests.open({ organization })
  await screens(page).getByRole('link', { name: 'Profiles' }).click()
  await page.getByRole('button', { name: 'Load more' }).focus()
  await page.locator('tbody tr:last-child :focus').waitFor()
})
