import { expect } from 'vitest'
import { askForApproval, campaignOf, profileOf } from '../../../../test/campaigns.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'

const tests = consoleTests()

test('a campaign is made, with all that it can have', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  await askForApproval(owner)
  await profileOf(owner, { name: 'Contoso on TikTok' })
  const profile = await profileOf(owner, { currency: 'JPY', time_zone: 'Europe/Berlin' })
  const { page } = await tests.open({ organization, path: '/campaigns/new' })
  await page.getByLabel('Name').fill('Spring Sale 2026')
  await page.getByLabel('Profile').fill('north')
  await page.getByRole('option', { name: 'Northwind on Meta' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('option', { name: 'Northwind on Meta' }).click()
  await page.getByText('JPY, as its profile has.').waitFor()
  expect(await page.getByLabel('Currency').isDisabled()).toBe(true)
  await page.getByLabel('Objective').selectOption('sales')
  await page.getByText(/OUTCOME_SALES/).waitFor()
  await page.getByLabel('Daily budget').fill('12,500')
  await page.getByText('It needs an approval first: submit it.').waitFor()

  await page.getByLabel('Start').fill('2028-03-26T02:30')
  await page.getByText('Clocks skip 02:30 on that day: it is 03:30.').waitFor()
  await page.getByLabel('End').fill('2028-10-29T02:30')
  await page.getByText('Clocks show 02:30 twice on that day: this is the first.').waitFor()
  await page.getByRole('button', { name: 'Take the second' }).click()
  await page.getByText('this is the second').waitFor()

  await page.getByText('Week schedule: Always').click()
  await page.getByRole('button', { name: 'Working hours' }).click()
  await page.getByText('Open 40 hours a week.').waitFor()
  await page.getByText('Week schedule: Mon–Fri 09:00–17:00').click()
  await page.getByText('More: external id').click()
  await page.getByRole('button', { name: 'Add a key' }).click()
  await page.getByLabel('Key 1', { exact: true }).fill('crm_id')
  await page.getByLabel('Value of crm_id').fill('4711')
  await page.getByLabel('Labels').fill('spring,')
  await page.getByLabel('Notes').fill('As agreed in June')
  await page.getByRole('button', { name: 'Create campaign' }).click()
  await page.getByRole('heading', { name: 'Spring Sale 2026', level: 1 }).waitFor()
  const [campaign] = (await owner.get('/campaigns')).json().data
  expect(campaign).toMatchObject({
    profile_id: profile.id,
    currency: 'JPY',
    daily_budget: 12_500,
    start_at: '2028-03-26T01:30:00.000Z',
    end_at: '2028-10-29T01:30:00.000Z',
    time_zone: 'Europe/Berlin',
    metadata: { crm_id: '4711' },
    labels: ['spring'],
  })
  expect(campaign.schedule).toHaveLength(5)
})

test('faults stand at their fields, and what was typed survives a reload', async () => {
  const { page } = await tests.open({ path: '/campaigns/new' })
  tests.expectComplaint(/422/)
  await page.getByLabel('Daily budget').fill('20')
  await page.getByRole('button', { name: 'Create campaign' }).click()
  const name = page.getByLabel('Name')
  await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
  await expect
    .poll(() => name.evaluate((field) => field.ownerDocument.activeElement === field))
    .toBe(true)
  await expectAccessible(page)
  await page.getByLabel('Daily budget').fill('')
  await page.getByRole('button', { name: 'Create campaign' }).click()
  await page.getByText('Is required unless “Lifetime budget” is given.', { exact: true }).waitFor()
  await page.getByLabel('Daily budget').fill('20')
  await page.reload()
  await page.getByText('These edits were not saved last time.').waitFor()
  expect(await page.getByLabel('Daily budget').inputValue()).toBe('20')
})

test('a template fills in its fields, and what it locks is shown as locked', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const { id: profile_id } = await profileOf(owner)
  const defaults = { profile_id, objective: 'leads', daily_budget: 40, currency: 'EUR' }
  const body = { name: 'Always on', defaults, locked_fields: ['objective'] }
  const template = (await owner.post('/templates', body)).json()
  const { page } = await tests.open({ organization, path: '/campaigns/new' })
  await page.getByLabel('Name').fill('Leads in May')
  await page.getByLabel('Template').fill('alw')
  await page.getByRole('option', { name: 'Always on' }).click()
  await page.getByText('Fixed by the template.').waitFor()
  expect(await page.getByLabel('Objective').isDisabled()).toBe(true)
  expect(await page.getByLabel('Name').inputValue()).toBe('Leads in May')
  await page.getByLabel('Daily budget').fill('55.50')
  await page.getByRole('button', { name: 'Create campaign' }).click()
  await page.getByRole('heading', { name: 'Leads in May', level: 1 }).waitFor()
  const [campaign] = (await owner.get('/campaigns')).json().data
  expect(campaign).toMatchObject({
    objective: 'leads',
    daily_budget: 55.5,
    template_id: template.id,
  })
})

test('a copy has what its original has, and what is changed', async () => {
  const organization = await tests.world().organization()
  const { owner } = organization
  const original = await campaignOf(owner, { labels: ['spring'], external_id: 'A-1' })
  const { page } = await tests.open({ organization, path: `/campaigns/${original.id}` })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click()
  await page.getByRole('heading', { name: 'Copy Spring Sale 2026' }).waitFor()
  await page.getByLabel('Name').fill('Summer Sale 2026')
  await page.getByRole('button', { name: 'Create copy' }).click()
  await page.getByRole('heading', { name: 'Summer Sale 2026', level: 1 }).waitFor()
  const copies = (await owner.get('/campaigns?q=Summer')).json().data
  expect(copies).toMatchObject([{ labels: ['spring'], external_id: null, daily_budget: 33.51 }])
})

test('a viewer reads that campaigns are not theirs to make', async () => {
  const { page } = await tests.open({ path: '/campaigns/new', role: 'viewer' })
  const button = page.getByRole('button', { name: 'Create campaign' })
  expect(await button.getAttribute('aria-disabled')).toBe('true')
})

test('a form picks profiles also after their list was read', async () => {
  const organization = await tests.world().organization()
  await profileOf(organization.owner)
  const { page } = await tests.open({ organization, path: '/profiles' })
  await page.getByRole('link', { name: 'Northwind on Meta' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('new campaign')
  await page.keyboard.press('Enter')
  await page.getByLabel('Profile').click()
  await page.getByRole('option', { name: 'Northwind on Meta' }).waitFor()
})
