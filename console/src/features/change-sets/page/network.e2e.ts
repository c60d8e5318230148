import { expect } from 'vitest'
import { accountRef, deployed } from '../../../../../connectors/sim/test/connected.ts'
import { consoleTests, expectAccessible, test } from '../../../../test/console.ts'
import { inSimOf } from '../../../../test/sim.ts'

// Against the real service, the connector, and the simulated network.

const tests = consoleTests()

const inSim = inSimOf(tests)

test('a change set says what the network thinks of it, before anyone applies it', () =>
  inSim(async (all) => {
    const [one, other] = [
      await deployed(all, { name: 'Autumn', daily_budget: 40 }),
      await deployed(all, { name: 'Winter', daily_budget: 40 }),
    ]
    await all.round()
    all.network.control.setAccount(accountRef, { minimum_daily_budget_minor: 3_000 })
    const budget = (id: string, daily_budget: number) => ({
      ...{ op: 'update', resource: 'campaign', id },
      body: { daily_budget },
    })
    const { organization, owner } = all
    const operations = [budget(one, 20), budget(other, 60)]
    const reply = await owner.post('/change_sets', { title: 'New budgets', operations })
    const { page } = await tests.open({
      organization,
      path: `/change-sets/${reply.json().id}`,
    })
    await page.getByText('Waiting for the network’s answer on 2 campaigns.').waitFor()
    await all.round()
    await page.getByText('The network would refuse 1 campaign.').waitFor()
    const [refused, accepted] = await page.getByRole('article').all()
    expect(await refused?.textContent()).toContain('The network would refuse it: daily_budget')
    expect(await accepted?.textContent()).toContain('Network accepts it')
    expect(await page.getByText('Waiting for the network’s answer').count()).toBe(0)
    await expectAccessible(page)
  }))
