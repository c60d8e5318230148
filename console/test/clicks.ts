import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { screens } from './console.ts'

/** Clicks that a person makes; typing aside. A choice in a select is one. */
export function countIn(page: Page) {
  let count = 0
  const counted = async (act: Promise<unknown>) => {
    count += 1
    await act
  }
  const main = () => page.getByRole('main')
  return {
    button: (name: string | RegExp) =>
      counted(page.getByRole('button', { name, exact: true }).first().click()),
    link: (name: string) => counted(main().getByRole('link', { name }).click()),
    screen: (name: string) => counted(screens(page).getByRole('link', { name }).click()),
    item: (name: string) => counted(page.getByRole('menuitem', { name }).click()),
    select: (label: string, value: string) =>
      counted(page.getByRole('dialog').getByLabel(label).selectOption(value)),
    focus: (label: string) => counted(page.getByLabel(label).click()),
    check: (label: string) => counted(page.getByLabel(label).check()),
    option: (name: RegExp) => counted(page.getByRole('option', { name }).first().click()),
    made: () => count,
  }
}

/** Keeps what the screen shows, for people to look at. */
export const keepPicture = (page: Page, name: string) =>
  page.screenshot({ path: join(import.meta.dirname, '../../dist/pictures', `${name}.png`) })

/** Goes by keys alone to what has this name, and uses it. */
export async function press(
  page: Page,
  role: 'button' | 'link' | 'menuitem' | 'option' | 'checkbox',
  name: string | RegExp,
): Promise<void> {
  const there = page.getByRole(role, { name, exact: true }).first()
  await there.waitFor()
  await there.focus()
  await page.keyboard.press(role === 'checkbox' ? 'Space' : 'Enter')
}
