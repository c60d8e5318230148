import { afterEach, describe, test } from 'vitest'
import { adapterTests } from '../kit/src/adapter-tests.ts'
import { openAccess, type Plan } from '../kit/src/connect.ts'
import { simAdapter } from './adapter.ts'
import { openNetwork, type SimNetwork } from './network/server.ts'

let network: SimNetwork | undefined

afterEach(() => network?.close())

const plan: Plan = {
  name: 'Autumn Sale',
  objective: 'sales',
  run: 'enabled',
  daily_budget_minor: 4_000,
  lifetime_budget_minor: null,
  currency: 'USD',
  start_at: null,
  end_at: null,
  time_zone: 'UTC',
  schedule: [{ day: 'mon', start: '08:00', end: '18:30' }],
  settings: {},
}

const profile = {
  id: 'prf_01m7yk4mzveh7t7n0ras7brxqh',
  name: 'Account',
  account_ref: 'sim-1',
  currency: 'USD',
  time_zone: 'UTC',
  status: 'active',
  credential_ref: null,
  proxy: null,
}

async function open() {
  network = await openNetwork()
  network.control.openAccount({ id: 'sim-1', currency: 'USD', time_zone: 'UTC' })
  const adapter = simAdapter({ url: network.url })
  const access = openAccess({
    profile,
    accountRef: 'sim-1',
    url: network.url,
    origins: [],
    sandbox: true,
    readCredential: async () => 'sim',
    authorize: adapter.authorize,
    signal: new AbortController().signal,
    deadlineMs: 5_000,
    mayWrite: () => {},
    onRequest: () => {},
  })
  return { adapter, access, plan }
}

describe('the adapter of the simulated network', () => {
  test.each(adapterTests(open))('$name', ({ run }) => run())
})
