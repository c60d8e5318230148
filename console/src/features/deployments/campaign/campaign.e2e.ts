import { expect } from 'vitest'
import {
  accountRef,
  type Connected,
  deployed,
  inNetwork,
} from '../../../../../connectors/sim/test/connected.ts'
import { campaignBody, made } from '../../../../../server/test/support/cases/writes.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { inSimOf } from '../../../../test/sim.ts'

// Against the real service, the connector, and the simulated network.

const tests = consoleTests()

const inSim = inSimOf(tests)

const changedThere = ({ network }: Connected, changes: Record<string, unknown>) => {
  const [campaign] = network.control.campaigns(accountRef)
  network.control.edit(accountRef, campaign?.id ?? '', changes)
}

test('a campaign is deployed, and its network has it', () =>
  inSim(async (all) => {
    const { organization, owner, profile } = all
    const id = await made(owner, '/campaigns', { ...campaignBody(profile), daily_budget: 40 })
    await owner.post(`/campaigns/${id}/launch`)
    const { page } = await tests.open({ organization, path: `/campaigns/${id}?tab=deployment` })
    await page.getByText('No connector holds the account').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Deploy', exact: true }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('What the connector keeps').selectOption('some')
    await form.getByLabel('Week schedule').uncheck()
    await form.getByLabel('Settings of the network').fill('{"a": ')
    await form.getByText('must be a JSON object').waitFor()
    await form.getByLabel('Settings of the network').fill('')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Deploy' }).click()
    await page.getByText('Pending', { exact: true }).first().waitFor()
    await tests.untilLive(page)
    await all.round()
    await page.getByText('In sync', { exact: true }).first().waitFor()
    const row = page.getByRole('row', { name: /Daily budget/ })
    await row.getByText('Same').waitFor()
    await page.getByRole('row', { name: /Week schedule.*Left to the network/ }).waitFor()
    expect(inNetwork(all.network)).toMatchObject([{ daily_budget_minor: 4_000 }])
    expect(await page.getByRole('link', { name: 'Open in the network' }).count()).toBe(1)
    await expectAccessible(page)
  }))

test('what was changed in the network is shown beside the plan, and overwritten', () =>
  inSim(async (all) => {
    const id = await deployed(all, { daily_budget: 40 })
    await all.round()
    const { organization } = all
    const { page } = await tests.open({ organization, path: `/campaigns/${id}?tab=deployment` })
    await page.getByText('In sync', { exact: true }).first().waitFor()
    await tests.untilLive(page)
    changedThere(all, { daily_budget_minor: 9_900 })
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('A check was asked for').waitFor()
    await all.round()
    const row = page.getByRole('row', { name: /Daily budget.*40\.00.*99\.00/ })
    await row.getByText('Differs').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Overwrite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('row', { name: /Daily budget/ }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Overwrite' }).click()
    await page.getByText('It is being overwritten').waitFor()
    await all.round()
    await page.getByText('In sync', { exact: true }).first().waitFor()
    expect(inNetwork(all.network)).toMatchObject([{ daily_budget_minor: 4_000 }])
  }))

test('what was changed in the network is adopted, or proposed as a change set', () =>
  inSim(async (all) => {
    const id = await deployed(all, { daily_budget: 40 })
    await all.round()
    changedThere(all, { daily_budget_minor: 9_900 })
    await all.round()
    const { organization, owner } = all
    const path = `/campaigns/${id}?tab=deployment`
    const { page } = await tests.open({ organization, path })
    await page.getByRole('button', { name: 'Propose' }).click()
    await page.getByRole('heading', { name: /As in the network/, level: 1 }).waitFor()
    const [changeSet] = (await owner.get('/change_sets')).json().data
    expect(changeSet).toMatchObject({ summary: { update: 1 }, status: 'open' })
    await page.goto(`${tests.origin()}/console${path}`)
    await page.getByRole('button', { name: 'Adopt' }).click()
    await page.getByText('It can be adopted.').waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Adopt' }).click()
    await page.getByText('The values of the network were adopted').waitFor()
    expect((await owner.get(`/campaigns/${id}`)).json().daily_budget).toBe(99)
  }))

test('a campaign that the network has lost is made anew, detached, and its terms are changed', () =>
  inSim(async (all) => {
    const id = await deployed(all)
    await all.round()
    const [first] = inNetwork(all.network)
    all.network.control.remove(accountRef, first?.id ?? '')
    await all.owner.post(`/campaigns/${id}/deployment/check`)
    await all.round()
    const { organization } = all
    const { page } = await tests.open({ organization, path: `/campaigns/${id}?tab=deployment` })
    await page.getByText(/^Gone:/).waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Another try was asked for').waitFor()
    await all.round()
    await page.getByText('In sync', { exact: true }).first().waitFor()
    await page.getByRole('main').getByRole('button', { name: 'More' }).last().click()
    await page.getByRole('menuitem', { name: 'How it is deployed…' }).click()
    await page.getByLabel('What is changed in the network').selectOption('overwrite')
    tests.expectComplaint(/412/)
    const terms = { mode: 'create', managed_fields: ['status'] }
    await all.owner.put(`/campaigns/${id}/deployment`, terms)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Keep my edits and go on' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Overwrite it with the values').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'More' }).last().click()
    await page.getByRole('menuitem', { name: 'Detach…' }).click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Detach' }).click()
    await page.getByText('Not deployed').waitFor()
    expect(inNetwork(all.network)).toHaveLength(1)
  }))

test('an admin ends a campaign in its network; a viewer only reads', () =>
  inSim(async (all) => {
    const id = await deployed(all)
    await all.round()
    const { organization } = all
    const path = `/campaigns/${id}?tab=deployment`
    const viewing = await tests.open({ organization, path, role: 'viewer' })
    const check = viewing.page.getByRole('button', { name: 'Check' })
    expect(await check.getAttribute('aria-disabled')).toBe('true')
    const { page } = await tests.open({ organization, path, role: 'admin' })
    await page.getByText('In sync', { exact: true }).first().waitFor()
    await page.getByRole('main').getByRole('button', { name: 'More' }).last().click()
    await page.getByRole('menuitem', { name: 'Remove…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Removing', { exact: true }).first().waitFor()
    await all.round()
    expect(inNetwork(all.network)).toEqual([])
  }))
