import { expect } from 'vitest'
import { accountRef, deployed, deploymentOf } from '../../../../connectors/sim/test/connected.ts'
import { consoleTests, expectAccessible, screens, test } from '../../../test/console.ts'
import { inSimOf } from '../../../test/sim.ts'

// Against the real service, the connector, and the simulated network.

const tests = consoleTests()

const inSim = inSimOf(tests)

test('without deployments the list says how to get some', async () => {
  const { page } = await tests.open({ path: '/deployments' })
  await page.getByText('No deployments yet').waitFor()
  await expectAccessible(page)
})

test('deployments are listed, filtered, and acted on together', () =>
  inSim(async (all) => {
    const names = ['Autumn', 'Winter', 'Spring']
    const ids = []
    for (const name of names) ids.push(await deployed(all, { name, daily_budget: 40 }))
    await all.round()
    for (const { id, versions } of all.network.control.campaigns(accountRef)) {
      const isSpring = versions.at(-1)?.values?.name === 'Spring'
      if (!isSpring) all.network.control.edit(accountRef, id, { daily_budget_minor: 9_900 })
    }
    await all.round()
    const { organization, owner } = all
    const { page } = await tests.open({ organization, path: '/' })
    const need = page.getByRole('link', { name: /2 campaigns differ from their plans/ })
    expect(await need.getAttribute('href')).toBe('/console/deployments?state=drifted')
    await screens(page).getByRole('link', { name: 'Deployments' }).click()
    await page.getByRole('row').nth(3).waitFor()
    await page.getByLabel('State', { exact: true }).selectOption('drifted')
    await page.getByRole('link', { name: 'Spring' }).waitFor({ state: 'detached' })
    await page.getByLabel('Differs in').selectOption('budget')
    await page.getByLabel('Connector', { exact: true }).selectOption('false')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('link', { name: 'Spring' }).waitFor()
    await page.getByRole('button', { name: 'Choose all shown' }).click()
    await page.getByText('3 deployments chosen').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Adopt' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 deployments can').waitFor()
    await dialog.getByText('Spring: Its state is in sync: nothing to adopt.').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Adopt 2' }).click()
    await dialog.getByText('2 deployments done').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    for (const id of ids) expect((await deploymentOf(owner, id)).state).toBe('in_sync')
    await page.getByRole('button', { name: 'Choose none' }).click()
    await page.getByLabel('Choose Spring').check()
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await dialog.getByRole('button', { name: 'Check 1' }).click()
    await dialog.getByText('1 deployment done').waitFor()
  }))

test('the campaigns show what is on their network, live, and are filtered by it', () =>
  inSim(async (all) => {
    const id = await deployed(all, { name: 'Autumn' })
    await deployed(all, { name: 'Winter' })
    await all.round()
    const { organization } = all
    const path = '/campaigns?columns=status,network'
    const { page } = await tests.open({ organization, path })
    const row = page.getByRole('row', { name: /Autumn/ })
    await row.getByText('In sync').waitFor()
    await tests.untilLive(page)
    const object = (await deploymentOf(all.owner, id)).network_object_id
    all.network.control.edit(accountRef, object, { status: 'PAUSED' })
    await all.round()
    await row.getByText('Drifted').waitFor()
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.locator('summary', { hasText: 'On network' }).click()
    await page.getByLabel('Drifted').check()
    await page.getByRole('row', { name: /Winter/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove the filter On network: Drifted' }).waitFor()
  }))

test('an account that is blocked, and a credential that ends, are on the deck', () =>
  inSim(async (all) => {
    await deployed(all)
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString()
    all.network.control.setAccount(accountRef, { credential_expires_at: soon })
    await all.round()
    const { organization } = all
    const { page } = await tests.open({ organization, path: '/' })
    const ending = page.getByRole('link', { name: /credential of an account ends/ })
    expect(await ending.getAttribute('href')).toMatch(/profiles\/.*\?tab=connection$/)
    all.network.control.setAccount(accountRef, { credential: 'EXPIRED' })
    await all.round()
    await page.reload()
    await page.getByRole('link', { name: /An account is blocked/ }).waitFor()
    await expectAccessible(page)
  }))
