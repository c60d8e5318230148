import { beforeAll, expect } from 'vitest'
import { dayOf, report } from '../../../../../server/test/support/cases/results.ts'
import { campaignOf } from '../../../../test/campaigns.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'

const tests = consoleTests()

/** Pacing shows the rest of the month, so what is scheduled within a week must be in it. */
beforeAll(() => {
  const { clock } = tests.world()
  const now = clock.now()
  const tenthOfNext = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10)
  if (now.getUTCDate() > 20) clock.advance(tenthOfNext - now.getTime())
})

const inDays = (days: number) => `${dayOf(tests.world(), days)}T00:00:00.000Z`

/** A raise for three days, scheduled. */
async function weekend() {
  const organization = await tests.world().organization()
  const { owner } = organization
  const campaign = await campaignOf(owner, { currency: 'EUR', daily_budget: 81.75 })
  await owner.post(`/campaigns/${campaign.id}/launch`)
  const operations = [{ op: 'update', id: campaign.id, body: { daily_budget: 122.63 } }]
  const times = { apply_at: inDays(3), revert_at: inDays(6) }
  const body = { title: 'Black weekend', operations, ...times }
  const changeSet = (await owner.post('/change_sets', body)).json()
  expect(changeSet.status).toBe('scheduled')
  return { organization, owner, campaign, changeSet }
}

test('what is scheduled for a campaign stands on it, with the way there', async () => {
  const { organization, owner, campaign, changeSet } = await weekend()
  const row = { campaign_id: campaign.id, date: dayOf(tests.world(), 0), spend: 10 }
  await report(owner, { rows: [row] })
  for (const [tab, width] of [
    ['overview', 1280],
    ['overview', 360],
    ['schedule', 1280],
    ['pacing', 1280],
  ] as const) {
    const path = `/campaigns/${campaign.id}?tab=${tab}`
    const { page } = await tests.open({ organization, path, width })
    const scheduled = page.getByRole('region', { name: 'Scheduled changes' })
    await scheduled.getByText(/00:00.*: EUR.122\.63 a day, back on .*00:00/).waitFor()
    const link = scheduled.getByRole('link', { name: 'Black weekend' })
    expect(await link.getAttribute('href')).toContain(changeSet.id)
    if (tab === 'pacing') {
      await page.getByText('Scheduled budgets are counted as spent in full.').waitFor()
      await page.getByRole('listitem').filter({ hasText: 'With what is scheduled' }).waitFor()
      expect(await page.getByText('Not all that is scheduled').count()).toBe(0)
    }
    await expectAccessible(page)
    await page.close()
  }
  const { page } = await tests.open({ organization, path: `/campaigns/${campaign.id}` })
  const scheduled = page.getByRole('region', { name: 'Scheduled changes' })
  await scheduled.waitFor()
  await owner.patch(`/campaigns/${campaign.id}`, { notes: 'Moved' })
  await page.reload()
  await scheduled.getByText('as it is, it may fail').waitFor()
  await owner.post(`/change_sets/${changeSet.id}/refresh`)
  await scheduled.getByText('as it is, it may fail').waitFor({ state: 'detached' })
  await owner.post(`/change_sets/${changeSet.id}/apply`)
  await scheduled.getByText('set back what was changed').waitFor()
})

test('a scheduled change set does not invite to apply it, and says its date before', async () => {
  const { organization, changeSet } = await weekend()
  const path = `/change-sets/${changeSet.id}`
  const { page } = await tests.open({ organization, path })
  const main = page.getByRole('main')
  const apply = main.getByRole('button', { name: 'Apply', exact: true })
  const edit = main.getByRole('button', { name: 'Edit', exact: true })
  expect(await apply.getAttribute('class')).toBe(await edit.getAttribute('class'))
  await apply.click()
  const date = new Intl.DateTimeFormat('en-US', { month: 'short', day: '2-digit', timeZone: 'UTC' })
  const day = date.format(new Date(changeSet.apply_at))
  await page.getByRole('dialog').getByText(`It is scheduled for ${day}`).waitFor()
  await page.getByRole('dialog').getByText('this applies it now instead').waitFor()
})
