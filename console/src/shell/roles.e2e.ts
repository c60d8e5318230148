import { expect } from 'vitest'
import { campaignOf } from '../../test/campaigns.ts'
import { consoleTests, expectAccessible, test } from '../../test/console.ts'

const tests = consoleTests()

const ofEveryone = [
  'Deck',
  'Campaigns',
  'Clients',
  'Pacing',
  'Deployments',
  'Results',
  'Reports',
  'Change sets',
  'Approvals',
]
const setUp = ['Profiles', 'Templates']

const screensOf = {
  viewer: [...ofEveryone, ...setUp, 'Proxies', 'Organization', 'Account'],
  auditor: [...ofEveryone, ...setUp, 'Audit log', 'Organization', 'Account'],
  editor: [...ofEveryone, ...setUp, 'Proxies', 'Events', 'Organization', 'Account'],
} as const

// A request that the role may not send is a complaint in the browser's console, which fails these.
for (const role of ['viewer', 'auditor', 'editor'] as const) {
  test(`every screen in the navigation of a role opens for it: ${role}`, async () => {
    const organization = await tests.world().organization()
    await campaignOf(organization.owner)
    const { page } = await tests.open({ organization, path: '/account', role })
    const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
    await links.first().waitFor()
    expect(await links.allInnerTexts()).toEqual(screensOf[role])
    for (const name of screensOf[role]) {
      await links.filter({ hasText: name }).first().click()
      const title = name === 'Organization' ? /./ : name
      await page.getByRole('main').getByRole('heading', { level: 1, name: title }).waitFor()
      await page.waitForLoadState('load')
    }
  })
}

test('a viewer goes from the deck to a campaign, and every control says why it is off', async () => {
  const organization = await tests.world().organization()
  await campaignOf(organization.owner, { name: 'Spring sale' })
  const { page } = await tests.open({ organization, path: '/campaigns', role: 'viewer' })
  const main = page.getByRole('main')
  await expect
    .poll(() => main.getByRole('button', { name: 'New campaign' }).getAttribute('aria-disabled'))
    .toBe('true')
  await main.getByRole('link', { name: 'Spring sale' }).click()
  await main.getByRole('heading', { level: 1, name: 'Spring sale' }).waitFor()
  for (const tab of ['Pacing', 'Schedule', 'History']) {
    await main.getByRole('link', { name: tab, exact: true }).click()
    await page.waitForURL(new RegExp(`tab=${tab.toLowerCase()}`))
  }
  expect(await main.getByRole('link', { name: 'Audit', exact: true }).count()).toBe(0)
  const edit = main.getByRole('button', { name: 'Edit' })
  await edit.hover()
  await page.getByRole('tooltip').getByText('Your role is viewer').waitFor()
  expect(await edit.getAttribute('aria-disabled')).toBe('true')
  await expectAccessible(page)
})
