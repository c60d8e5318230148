import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { adapterTests } from '../kit/src/adapter-tests.ts'
import type { Plan } from '../kit/src/connect.ts'
import { googleAdapter } from './adapter.ts'
import { customerId } from './test/credential.ts'
import { type Opened, opened } from './test/opened.ts'

let all: Opened | undefined

afterEach(() => all?.fake.close())

describe('the adapter of Google Ads', () => {
  test.each(
    adapterTests(async () => {
      all = await opened()
      return all
    }),
  )('$name', ({ run }) => run())
})

test('it speaks to the network itself, unless it is given another address', () => {
  all = undefined
  expect(googleAdapter()).toMatchObject({
    ...{ platform: 'google_ads', name: 'google-ads', version: '0.1.0', apiVersion: 'v25' },
    ...{ url: 'https://googleads.googleapis.com', origins: ['https://oauth2.googleapis.com'] },
    coverage: {
      ...{ name: 'native', status: 'native', budget: 'native', dates: 'native' },
      schedule: 'native',
    },
    isAtomic: true,
  })
})

describe('a campaign', () => {
  const apply = { seen: null, marker: 'fd:1', validateOnly: false }
  let one: Opened
  beforeEach(async () => {
    one = await opened()
    all = one
  })

  const counts = () =>
    ['searchStream', 'validate', 'mutate'].map((name) => one.fake.counts.get(name) ?? 0)
  const since = (before: readonly number[]) =>
    counts().map((count, at) => count - (before[at] ?? 0))
  const there = () => one.fake.control.campaigns(customerId)

  async function planned(change: Partial<Plan> = {}) {
    const { adapter, access, plan } = one
    const answer = adapter.plan({ ...plan, ...change }, await adapter.account(access))
    if ('refused' in answer) throw new Error('refused')
    return answer.body
  }

  async function made(change: Partial<Plan> = {}) {
    const { adapter, access } = one
    const body = await planned(change)
    const marker = `fd:${there().length + 1}`
    const { id } = await adapter.apply(access, body, { ...apply, marker })
    const seen = (await adapter.read(access, { ids: [id] })).get(id) ?? null
    return { body, id, seen, name: `customers/${customerId}/campaigns/${id}` }
  }

  test.each(['', 'fd:', 'xfd:1', 'fd:A', "fd:1'", `fd:${'a'.repeat(41)}`])(
    'is never made or looked for by the mark %j',
    async (marker) => {
      const { adapter, access } = one
      const body = await planned()
      const before = counts()
      const fault = { kind: 'blocked', code: 'setting', message: expect.stringContaining('mark') }
      await expect(adapter.read(access, { marker })).rejects.toMatchObject(fault)
      await expect(adapter.apply(access, body, { ...apply, marker })).rejects.toMatchObject(fault)
      expect(since(before)).toEqual([0, 0, 0])
    },
  )

  test('is found by the longest mark', async () => {
    const marker = `fd:${'a'.repeat(40)}`
    const { id } = await one.adapter.apply(one.access, await planned(), { ...apply, marker })
    expect([...(await one.adapter.read(one.access, { marker })).keys()]).toEqual([id])
  })

  test('that is made on trial has no id', async () => {
    const tried = { ...apply, validateOnly: true }
    expect(await one.adapter.apply(one.access, await planned(), tried)).toEqual({ id: '' })
  })

  test('starts when it is to, and when that is changed', async () => {
    const [first, next] = ['2036-01-01T00:00:00.000Z', '2036-02-01T00:00:00.000Z']
    const { id, seen } = await made({ start_at: first })
    expect(seen).toMatchObject({ status: 'scheduled', observed: { start_at: first } })
    const body = await planned({ start_at: next })
    await one.adapter.apply(one.access, body, { ...apply, seen })
    const after = (await one.adapter.read(one.access, { ids: [id] })).get(id)
    expect(after?.observed.start_at).toBe(next)
  })

  test('that is changed on trial stays as it is, and nothing of it is read once more', async () => {
    const { id, body, seen } = await made()
    const next = { ...body, name: 'New', schedule: [] }
    const before = counts()
    const tried = { ...apply, seen, validateOnly: true }
    expect(await one.adapter.apply(one.access, next, tried)).toEqual({ id })
    expect((await one.adapter.read(one.access, { ids: [id] })).get(id)).toEqual(seen)
    expect(since(before)).toEqual([1, 1, 0])
  })

  test('that is as it should be is not written', async () => {
    const { id, body, seen } = await made()
    const before = counts()
    expect(await one.adapter.apply(one.access, body, { ...apply, seen })).toEqual({ id })
    expect(since(before)).toEqual([0, 0, 0])
  })

  test('of which only the hours were written has only its hours read', async () => {
    const { id, body, seen } = await made()
    const read = async () => {
      const before = counts()
      await one.adapter.read(one.access, { ids: [id] })
      return since(before)
    }
    await one.adapter.apply(one.access, { ...body, schedule: [] }, { ...apply, seen })
    expect(await read()).toEqual([1, 0, 0])
    await one.adapter.apply(one.access, { ...body, name: 'New' }, { ...apply, seen })
    expect(await read()).toEqual([2, 0, 0])
  })

  test('that was not read yet is read before it is changed', async () => {
    const { id, body, seen } = await made()
    const before = counts()
    const next = { ...body, name: 'New' }
    await one.adapter.apply({ ...one.access }, next, { ...apply, seen })
    expect(since(before)[2]).toBe(1)
    expect(there().map(({ campaign }) => [campaign.id, campaign.name])).toEqual([[id, 'New']])
  })

  test('that is gone is a conflict where it should change', async () => {
    const { body, name, seen } = await made()
    one.fake.control.edit(customerId, [{ campaignOperation: { remove: name } }])
    await expect(
      one.adapter.apply({ ...one.access }, body, { ...apply, seen }),
    ).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining('not there') })
  })

  test('is seen with all that keeps it from being held', async () => {
    const { id, name } = await made()
    const { held } = one.fake.control.account(customerId)
    const { maximizeConversionValue: _, ...rest } = held.campaign.get(name) ?? {}
    const portfolio = `customers/${customerId}/biddingStrategies/2`
    const experimentType = 'EXPERIMENT'
    held.campaign.set(name, { ...rest, biddingStrategy: portfolio, experimentType })
    for (const budget of held.campaignBudget.values())
      Object.assign(budget, { explicitlyShared: true })
    for (const hours of held.campaignCriterion.values()) Object.assign(hours, { bidModifier: 1.5 })
    const seen = (await one.adapter.read({ ...one.access }, { ids: [id] })).get(id)
    expect(seen).toMatchObject({
      delivery: { state: 'not_delivering', reasons: ['The campaign has no ad groups.'] },
      observed: {
        objective: 'sales',
        settings: { advertising_channel_type: 'SEARCH', bidding_strategy_type: 'TARGET_ROAS' },
      },
    })
    expect(seen?.observed.settings?.cannot_hold).toEqual([
      ...['Its budget is shared with other campaigns.'],
      ...['Its bidding is a portfolio strategy, which may share budgets.'],
      ...['It is part of an experiment.', 'Its hours change bids.'],
    ])
  })

  test('is read together with others', async () => {
    const [first, second] = [await made(), await made({ name: 'Other' })]
    const ids = [first.id, second.id]
    const read = await one.adapter.read({ ...one.access }, { ids: [...ids, '999'] })
    expect([...read.keys()]).toEqual(ids)
    expect(read.get(second.id)?.observed.name).toBe('Other')
  })

  test('without its declaration is seen so, and counted by a check', async () => {
    const { id, name } = await made()
    const of = async () => ({
      missing: (await one.adapter.examine?.(one.access))?.filter(({ fix }) => fix !== null),
      settings: (await one.adapter.read(one.access, { ids: [id] })).get(id)?.observed.settings,
    })
    const declared = await of()
    expect(declared.missing).toEqual([])
    expect(declared.settings).not.toHaveProperty('missing_eu_political_advertising_declaration')
    const updateMask = 'containsEuPoliticalAdvertising'
    const update = { update: { resourceName: name }, updateMask }
    one.fake.control.edit(customerId, [{ campaignOperation: update }])
    expect(await of()).toMatchObject({
      missing: [{ fix: expect.stringMatching(/^1 lack it/) }],
      settings: { missing_eu_political_advertising_declaration: true },
    })
  })

  test('that was never there, or has no id of the network, counts as removed', async () => {
    const before = counts()
    await one.adapter.remove(one.access, '999')
    expect(since(before)).toEqual([0, 0, 1])
    await one.adapter.remove(one.access, "9'")
    expect(since(before)).toEqual([0, 0, 1])
  })

  test('whose removal fails is still there', async () => {
    const { id } = await made()
    one.fake.control.setFaults([{ kind: 'concurrent', times: 1 }])
    await expect(one.adapter.remove(one.access, id)).rejects.toMatchObject({ kind: 'conflict' })
    one.fake.control.setFaults([{ kind: 'lose_before', times: 1 }])
    await expect(one.adapter.remove(one.access, id)).rejects.toMatchObject({
      kind: 'unknown_outcome',
    })
    expect(there()).toHaveLength(1)
  })

  test('that was removed after a look is not listed by it', async () => {
    const { id } = await made()
    await one.adapter.account(one.access)
    await one.adapter.remove(one.access, id)
    expect(await Array.fromAsync(one.adapter.inventory(one.access))).toEqual([])
  })

  test.each([
    ['labelError.INVALID_LABEL_NAME', 0],
    ['campaignBudgetError.DUPLICATE_NAME', 0],
    // It may be gone again: then what was refused stays refused.
    ['labelError.DUPLICATE_NAME', 1],
  ])('that is refused for %s has its label asked for %i times', async (word, times) => {
    const body = await planned()
    const before = counts()
    one.fake.control.setFaults([{ kind: 'error', on: 'write', word }])
    await expect(one.adapter.apply(one.access, body, apply)).rejects.toMatchObject({
      ...{ kind: 'invalid', network: { subcode: word.split('.')[1] } },
    })
    expect(since(before)).toEqual([times, 0, 1])
  })

  test('that the answer to its creation does not name is not known', async () => {
    const body = await planned()
    const results = [null, {}, { campaignResult: null }, { campaignResult: { resourceName: 7 } }]
    const text = JSON.stringify({
      mutateOperationResponses: [...results, { campaignBudgetResult: { resourceName: 'x/7' } }],
    })
    const answer = { status: 200, text, header: () => null, json: () => JSON.parse(text) }
    one.access.fetch = () => Promise.resolve(answer)
    await expect(one.adapter.apply(one.access, body, apply)).rejects.toMatchObject({
      ...{ kind: 'unknown_outcome', message: 'The answer names no campaign.' },
    })
  })
})
