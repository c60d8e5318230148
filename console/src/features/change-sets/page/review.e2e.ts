import { expect } from 'vitest'
import { dayOf, report } from '../../../../../server/test/support/cases/results.ts'
import { campaignOf } from '../../../../test/campaigns.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'

const tests = consoleTests()

/** A raise of a campaign with a good week, proposed by an editor. */
async function raise() {
  const organization = await tests.world().organization()
  const { owner } = organization
  await owner.put('/organization/guardrails', { change_sets: { approval: 'always' } })
  const campaign = await campaignOf(owner)
  await owner.patch(`/profiles/${campaign.profile_id}`, { client: 'Northwind Traders' })
  const row = { campaign_id: campaign.id, date: dayOf(tests.world(), -2) }
  const rows = [{ ...row, spend: 30, conversions: 4, conversion_value: 75 }]
  expect((await report(owner, { rows })).json()).toMatchObject({ counts: { created: 1 } })
  const editor = await organization.as('editor')
  const operations = [{ op: 'update', id: campaign.id, body: { daily_budget: 50 } }]
  const body = { title: 'Weekend', description: 'CPA is half of the target', operations }
  const { id } = (await editor.post('/change_sets', body)).json()
  return { organization, owner, editor, campaign, id }
}

test('who approves reads the reason first, and client and figures beside each edit', async () => {
  const { organization, id } = await raise()
  for (const width of [1280, 360]) {
    const { page } = await tests.open({ organization, path: `/change-sets/${id}`, width })
    const reason = page.getByRole('region', { name: 'Reason' })
    await reason.getByText('CPA is half of the target').waitFor()
    const asked = page.getByText('It needs an approval.')
    const top = async (of: typeof asked) => (await of.boundingBox())?.y ?? 0
    expect(await top(reason)).toBeLessThan(await top(asked))
    const edit = page.getByRole('article')
    await edit.getByText('USD 7.50').waitFor()
    const beside = (await edit.locator('dl').first().innerText()).replaceAll('\u00a0', ' ')
    expect(beside.split('\n').filter(Boolean)).toEqual([
      ...['Client', 'Northwind Traders', 'Spend', 'USD 30.00', 'Conversions', '4'],
      ...['CPA', 'USD 7.50', 'ROAS', '2.50'],
    ])
    await page.getByText('its last 7 complete days').waitFor()
    await expectAccessible(page)
    await page.close()
  }
})

test('each decision has a name and a time beside it', async () => {
  const { organization, owner, editor, campaign, id } = await raise()
  const { page } = await tests.open({ organization, path: `/change-sets/${id}` })
  const fact = (name: string, of = page) =>
    of.locator('dl > div').filter({ has: of.getByText(name, { exact: true }) })
  await fact('Proposed').getByText('by editor user').waitFor()
  await owner.post(`/change_sets/${id}/approve`, { version: 1 })
  await fact('Approved').getByText('by Olga Owner').waitFor()
  await editor.post(`/change_sets/${id}/apply`)
  await fact('Applied').getByText('by editor user').waitFor()
  await fact('Applied').locator('time').waitFor()

  const body = { title: 'No', operations: [{ op: 'delete', id: campaign.id }] }
  const closed = async (action: string, more?: object) => {
    const { id } = (await editor.post('/change_sets', body)).json()
    expect((await owner.post(`/change_sets/${id}/${action}`, more)).statusCode).toBe(200)
    return (await tests.open({ organization, path: `/change-sets/${id}` })).page
  }
  const rejected = await closed('reject', { reason: 'Too much' })
  await fact('Rejected', rejected).getByText('by Olga Owner').waitFor()
  const cancelled = await closed('cancel')
  await fact('Cancelled', cancelled).getByText('by Olga Owner').waitFor()
})

test('the reason typed for edits of the tray is kept with their change set', async () => {
  const { organization, owner, campaign } = await raise()
  const { page } = await tests.open({ organization, path: `/campaigns/${campaign.id}` })
  await page.getByRole('main').getByRole('button', { name: 'Launch…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish later' }).click()
  await page.getByRole('button', { name: 'Review and publish' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Reason').fill('Agreed with Northwind')
  await form.getByRole('button', { name: 'Save for review' }).click()
  await page.getByRole('region', { name: 'Reason' }).getByText('Agreed with Northwind').waitFor()
  const [stored] = (await owner.get('/change_sets')).json().data
  expect(stored.description).toBe('Agreed with Northwind')
})
