import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTests, test } from '../../../../test/console.ts'
import { campaignsOf, cellOf, rowOf } from '../../../../test/grid.ts'

const tests = consoleTests()

const names = Array.from({ length: 40 }, (_, at) => ({ name: `Campaign ${at + 1}` }))

/** Whether a finger or the mouse reaches the middle of the button. */
const isReached = (page: Page, name: string) =>
  page.getByRole('button', { name }).evaluate((button) => {
    const { x, y, width, height } = button.getBoundingClientRect()
    return button.contains(button.ownerDocument.elementFromPoint(x + width / 2, y + height / 2))
  })

test.for([
  { width: 1280, touch: false },
  { width: 360, touch: true },
])(
  'the tray covers neither the selection’s bar nor the last rows, $width px wide',
  async (sizes) => {
    const organization = await tests.world().organization()
    await campaignsOf(organization, names)
    const { page } = await tests.open({ organization, path: '/campaigns', ...sizes })
    await cellOf(page, 'Campaign 40', 'run').getByRole('button').click()
    const tray = page.getByRole('region', { name: 'Edits not published' })
    await tray.waitFor()
    for (const when of ['at first', 'after a reload']) {
      if (when === 'after a reload') await page.reload()
      await tray.waitFor()
      await cellOf(page, 'Campaign 40', 'select').click()
      await page.getByText('1 of 40 selected').waitFor()
      await expect.poll(() => isReached(page, 'Launch…')).toBe(true)
      await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 1e6))
      const last = rowOf(page, 'Campaign 1')
      await last.waitFor()
      const [row, bar] = [await last.boundingBox(), await tray.boundingBox()]
      expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
      await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 0))
    }
  },
)
