import { openAccess, type Plan } from '../../kit/src/connect.ts'
import { googleAdapter } from '../adapter.ts'
import { type GoogleFake, openFake } from '../fake/server.ts'
import type { AccountFacts } from '../fake/state.ts'
import { credential, customerId } from './credential.ts'
import { judge } from './judge.ts'

/** An adapter on the fake, without the service. Each request is judged by a second parser. */

export const declared = {
  contains_eu_political_advertising: 'DOES_NOT_CONTAIN_EU_POLITICAL_ADVERTISING',
}

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
  settings: declared,
}

const accountFacts: AccountFacts = { id: customerId, currency: 'USD', timeZone: 'UTC' }

type Opening = { facts?: Partial<AccountFacts>; text?: string; accountRef?: string }

export async function opened({
  facts = {},
  text = credential,
  accountRef = customerId,
}: Opening = {}) {
  const fake = await openFake({ onExchange: judge })
  const account = fake.control.openAccount({ ...accountFacts, ...facts })
  const adapter = googleAdapter({ url: fake.url, oauthUrl: fake.url })
  return {
    ...{ fake, adapter, plan, access: accessOf(fake, { account, text, accountRef }) },
    /** Another account, by the same credential or another. */
    another: (id: string, by = text) =>
      accessOf(fake, {
        ...{ account: fake.control.openAccount({ ...accountFacts, id }), text: by, accountRef: id },
      }),
  }
}

export type Opened = Awaited<ReturnType<typeof opened>>

type Of = { account: { currency: string; timeZone: string }; text: string; accountRef: string }

function accessOf(fake: GoogleFake, { account, text, accountRef }: Of) {
  const adapter = googleAdapter({ url: fake.url, oauthUrl: fake.url })
  return openAccess({
    profile: {
      id: 'prf_01m7yk4mzveh7t7n0ras7brxqh',
      name: 'Account',
      account_ref: accountRef,
      currency: account.currency,
      time_zone: account.timeZone,
      status: 'active',
      credential_ref: null,
      proxy: null,
    },
    accountRef,
    url: fake.url,
    origins: adapter.origins ?? [],
    sandbox: true,
    readCredential: async () => text,
    authorize: adapter.authorize,
    signal: new AbortController().signal,
    deadlineMs: 5_000,
    mayWrite: () => {},
    onRequest: () => {},
  })
}
