import { expect } from 'vitest'
import {
  accountRef,
  type Connected,
  deployed,
} from '../../../../../connectors/sim/test/connected.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { inSimOf } from '../../../../test/sim.ts'

// Against the real service, the connector, and the simulated network.

const tests = consoleTests()

const inSim = inSimOf(tests)

const pathOf = ({ profile }: Connected) => `/profiles/${profile}?tab=connection`

test('an account is connected in three steps, with a key made in place', () =>
  inSim(async (all) => {
    const { organization, owner } = all
    const { page } = await tests.open({ organization, path: pathOf(all) })
    await page.getByRole('heading', { name: 'Not connected yet' }).waitFor()
    await page.getByText('Account sim-1').waitFor()
    await page.getByRole('button', { name: 'Make a connector key' }).click()
    await page.getByText('Store it now: it is shown this once.').waitFor()
    const keys = (await owner.get('/api_keys?role=connector')).json().data
    const key = keys.find(({ name }: { name: string }) => name.startsWith('Connector of'))
    expect(key.scope).toEqual({ profile_ids: [all.profile] })
    const command = page.getByRole('figure', { name: /Command/ })
    await command.getByText(`--profile ${all.profile}`).waitFor()
    expect(await command.textContent()).toMatch(/export FLIGHTDECK_KEY=fdk_/)
    await expectAccessible(page)
    await tests.untilLive(page)
    await all.round()
    await page.getByRole('heading', { name: 'Connection', exact: true }).waitFor()
    await page.getByText('Connected', { exact: true }).first().waitFor()
  }))

test('the account, its credential and its deployments are shown, and what blocks it', () =>
  inSim(async (all) => {
    await deployed(all)
    await all.round()
    const { organization } = all
    const { page } = await tests.open({ organization, path: pathOf(all), role: 'viewer' })
    const counts = page.getByRole('link', { name: '1 in sync' })
    expect(await counts.getAttribute('href')).toContain(`profile_id=${all.profile}&state=in_sync`)
    await expectAccessible(page)
    all.network.control.setAccount(accountRef, { credential: 'EXPIRED' })
    await all.round()
    await page.reload()
    await page.getByText('Nothing is sent to the network until this is mended.').waitFor()
  }))

test('campaigns of the account are found, tried out, and taken over', () =>
  inSim(async (all) => {
    const { control } = all.network
    const add = (name: string, end_at: string | null = null) =>
      control.add(accountRef, { name, status: 'ENABLED', daily_budget_minor: 4_000, end_at })
    for (const name of ['Brand', 'Generic']) add(name)
    add('Ended', '2020-01-01T00:00:00.000Z')
    await all.round()
    const { organization, owner } = all
    const { page } = await tests.open({ organization, path: pathOf(all) })
    await page.getByLabel('Choose Brand').waitFor()
    await page.getByLabel('Search the account').fill('gene')
    await page.getByLabel('Choose Brand').waitFor({ state: 'detached' })
    await page.getByLabel('Search the account').fill('')
    await page.getByLabel('Choose Brand').waitFor()
    await page.getByRole('button', { name: 'Choose all shown' }).click()
    await page.getByRole('button', { name: 'Take over 3' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 campaigns can be taken over').waitFor()
    await dialog.getByText('1 campaign cannot be held as they are').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Take over 2' }).click()
    await dialog.getByText('2 campaigns taken over').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('link', { name: 'Its campaign' }).nth(1).waitFor()
    const { data } = (await owner.get('/campaigns?status_reason=taken_over')).json()
    expect(data).toHaveLength(2)
    await expectAccessible(page)
  }))
