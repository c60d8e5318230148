import { expect } from 'vitest'
import { consoleTests, expectAccessible, test } from '../../../test/console.ts'

const tests = consoleTests()

test('the form says in words what the guardrails will do, before they do it', async () => {
  const { page, client } = await tests.open({ path: '/guardrails' })
  await page.getByText('What a campaign costs in a day has no limit.').waitFor()
  await page.getByText('The guardrails have never been changed.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog')
  const daily = form.getByRole('group', { name: 'Most that a campaign may cost in a day' })
  await daily.getByRole('button', { name: 'Add a currency' }).click()
  await daily.getByLabel('Amount in USD').fill('1,000.50')
  await daily.getByRole('button', { name: 'Add a currency' }).click()
  await daily.getByLabel('Currency').nth(1).selectOption('JPY')
  await daily.getByLabel('Amount in JPY').fill('90000')
  const words = form.getByRole('list', { name: 'What the guardrails do' })
  await words.getByText(/cost more than USD\s1,000\.50 or JPY\s90,000 in a day/).waitFor()
  await form.getByLabel('Campaigns in a currency').selectOption('Refuse')
  await words.getByText('Campaigns in other currencies than USD and JPY are refused.').waitFor()
  await form.getByLabel('Largest raise by one change').fill('50')
  await words.getByText('by 50% at most').waitFor()
  await form.getByLabel('Approvals', { exact: true }).selectOption('Always')
  await form.getByLabel('Editor', { exact: true }).check()
  await words.getByText('Approved by another person: Owner, Admin, or Editor.').waitFor()
  await form.getByLabel('Approvals of change sets').selectOption('Raises')
  const raises = form.getByRole('group', { name: 'Largest raise a day that needs no approval' })
  await raises.getByRole('button', { name: 'Add a currency' }).click()
  await raises.getByLabel('Amount in USD').fill('100')
  await words.getByText(/cost in a day by more than USD\s100\.00 need an approval/).waitFor()
  await words.getByText('Raises and launches need no change set: direct edits are free.').waitFor()
  await form.getByLabel('For members, of every role').check()
  await words.getByText('Raises and launches by change set only: members.').waitFor()
  await form.getByLabel(/^Pause at this share/).fill('95')
  await words.getByText('A campaign is paused once 95% of its lifetime budget is spent.').waitFor()
  await form.getByLabel('The budget of its client for the month').check()
  await words.getByText(/once 95% of the monthly cap of its profile or the budget of its/).waitFor()
  await form.getByLabel('Off target beyond').fill('30')
  await words.getByText('off its target when it is worse by more than 30%').waitFor()
  await expectAccessible(page)
  await form.getByLabel('Reason').fill('Budget policy of 2027')
  await form.getByRole('button', { name: 'Save guardrails' }).click()
  await page.getByRole('cell', { name: 'Budget policy of 2027' }).waitFor()
  await expectAccessible(page)
  expect((await client.get('/organization/guardrails')).json()).toMatchObject({
    max_daily_budget: { JPY: 90_000, USD: 1000.5 },
    unlisted_currencies: 'refuse',
    max_increase_percent: 50,
    approval: { mode: 'always' },
    approver_roles: ['owner', 'admin', 'editor'],
    change_sets: { approval: 'raises', raises_above: { USD: 100 }, required_for: ['member'] },
    performance_bound: 30,
    stop_at_percent: 95,
    stop_scopes: ['lifetime', 'profile', 'client'],
  })
})

test('a fault stands at the amount that it is about', async () => {
  const { page } = await tests.open({ path: '/guardrails?open=edit' })
  tests.expectComplaint(/422/)
  const daily = page.getByRole('group', { name: 'Most that a campaign may cost in a day' })
  await daily.getByRole('button', { name: 'Add a currency' }).click()
  await daily.getByLabel('Amount in USD').fill('12.345')
  await page.getByRole('button', { name: 'Save guardrails' }).click()
  const amount = daily.getByLabel('Amount in USD')
  await expect.poll(() => amount.getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
})

test('rules that another person has changed meanwhile are not overwritten', async () => {
  const { page, client } = await tests.open({ path: '/guardrails?open=edit' })
  tests.expectComplaint(/412/)
  await page.getByLabel('Largest raise by one change').fill('20')
  await client.put('/organization/guardrails', { max_increase_percent: 10 })
  await page.getByRole('button', { name: 'Save guardrails' }).click()
  await page.getByText('changed this meanwhile.').waitFor()
  await page.getByRole('button', { name: 'Keep my edits and go on' }).click()
  await page.getByRole('button', { name: 'Save guardrails' }).click()
  await page.getByText('by 20% at most').waitFor()
})
