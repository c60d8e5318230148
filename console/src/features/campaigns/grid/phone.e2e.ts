import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { campaignsOf, cellOf } from '../../../../test/grid.ts'

const tests = consoleTests()

test('on a telephone the controls leave room for rows, which say how they stand', async () => {
  const organization = await tests.world().organization()
  const [made] = await campaignsOf(organization, [{ name: 'Spring sale' }])
  await organization.owner.post(`/campaigns/${made?.id}/launch`)
  const { page } = await tests.open({ organization, path: '/campaigns', width: 360, touch: true })
  const name = cellOf(page, 'Spring sale', 'name')
  await name.getByText('Active').waitFor()
  await name.getByText('No data').waitFor()
  const [title, grid] = [
    await page.locator('main h1').boundingBox(),
    await page.getByRole('grid').boundingBox(),
  ]
  expect((grid?.y ?? 0) - (title?.y ?? 0)).toBeLessThan(110)
  await page.getByRole('button', { name: 'New campaign' }).waitFor()
  await expectAccessible(page)
})
