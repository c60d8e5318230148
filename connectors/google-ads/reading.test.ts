import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { NetworkFault } from '../kit/src/connect.ts'
import { credential } from './test/credential.ts'
import { type Opened, opened } from './test/opened.ts'

// Calls of one account, counted: quota is given by the day.

let all: Opened
afterEach(() => all.fake.close())

const counts = () => all.fake.counts.get('searchStream') ?? 0
const poll = async () => {
  const before = counts()
  await all.adapter.account(all.access)
  await Array.fromAsync(all.adapter.inventory(all.access))
  return counts() - before
}

async function withOne() {
  all = await opened()
  const account = await all.adapter.account(all.access)
  const planned = all.adapter.plan(all.plan, account)
  if ('refused' in planned) throw new Error('refused')
  const apply = { seen: null, marker: 'fd:1', validateOnly: false }
  const { id } = await all.adapter.apply(all.access, planned.body, apply)
  return { id, account, body: planned.body }
}

test('a look at an idle account is one query', async () => {
  await withOne()
  await poll()
  for (let round = 0; round < 12; round += 1) expect(await poll()).toBe(1)
})

test('a look sees what people do in the account, marks and hours after a while', async () => {
  const { id } = await withOne()
  await poll()
  const name = `customers/1234567890/campaigns/${id}`
  const adSchedule = {
    ...{ dayOfWeek: 'FRIDAY', startHour: 1, startMinute: 'ZERO' },
    ...{ endHour: 2, endMinute: 'ZERO' },
  }
  all.fake.control.edit('1234567890', [
    {
      campaignOperation: { update: { resourceName: name, status: 'PAUSED' }, updateMask: 'status' },
    },
    { campaignCriterionOperation: { create: { campaign: name, adSchedule } } },
  ])
  const seen = async () => {
    await all.adapter.account(all.access)
    return (await Array.fromAsync(all.adapter.inventory(all.access)))[0]
  }
  let last = await seen()
  for (let round = 0; round < 6; round += 1) last = await seen()
  expect(last?.observed).toMatchObject({
    run: 'paused',
    schedule: [{ day: 'mon' }, { day: 'fri' }],
  })
})

test('a change is one write, and one query to read it back', async () => {
  const { id, body } = await withOne()
  const seen = (await all.adapter.read(all.access, { ids: [id] })).get(id) ?? null
  const before = new Map(all.fake.counts)
  const next = { ...body, budget: { ...body.budget, micros: '50000000' } }
  await all.adapter.apply(all.access, next, { seen, marker: 'fd:1', validateOnly: false })
  const after = (await all.adapter.read(all.access, { ids: [id] })).get(id)
  expect(after?.observed.daily_budget_minor).toBe(5_000)
  expect((all.fake.counts.get('mutate') ?? 0) - (before.get('mutate') ?? 0)).toBe(1)
  expect(counts() - (before.get('searchStream') ?? 0)).toBe(1)
})

test('hours that reads are slow to show are read until they do', async () => {
  const { id, body } = await withOne()
  const read = async () => (await all.adapter.read(all.access, { ids: [id] })).get(id)
  const seen = (await read()) ?? null
  const lagMs = 300
  await pause(lagMs)
  const apply = { seen, marker: 'fd:1', validateOnly: false }
  await all.adapter.apply(all.access, { ...body, schedule: [] }, apply)
  all.fake.control.setFaults([{ kind: 'lag', on: 'read', ms: lagMs, times: 1 }])
  const shown = [await read(), await read()].map((each) => each?.observed.schedule?.length)
  expect(shown).toEqual([1, 0])
  // Once they are seen, a look reads them no more.
  const before = counts()
  await read()
  expect(counts()).toBe(before + 1)
})

test('a new campaign without hours has none to be read', async () => {
  const { account, body } = await withOne()
  const planned = all.adapter.plan({ ...all.plan, name: 'Other', schedule: [] }, account)
  if ('refused' in planned) throw new Error('refused')
  expect(body.schedule).toHaveLength(1)
  const apply = { seen: null, marker: 'fd:2', validateOnly: false }
  const { id } = await all.adapter.apply(all.access, planned.body, apply)
  const before = counts()
  const seen = (await all.adapter.read(all.access, { ids: [id] })).get(id)
  expect(seen).toMatchObject({ marker: 'fd:2', observed: { schedule: [] } })
  expect(counts()).toBe(before + 1)
})

test('the label of a campaign that is gone is used again', async () => {
  const { id, body } = await withOne()
  await all.adapter.remove(all.access, id)
  const apply = { seen: null, marker: 'fd:1', validateOnly: false }
  const made = await all.adapter.apply(all.access, body, apply)
  expect(made.id).not.toBe(id)
  expect([...(await all.adapter.read(all.access, { marker: 'fd:1' })).keys()]).toEqual([made.id])
  expect(all.fake.control.account('1234567890').held.label.size).toBe(1)
})

test('hours that a person has changed meanwhile do not stop a change for ever', async () => {
  const { id, body } = await withOne()
  const read = async () => (await all.adapter.read(all.access, { ids: [id] })).get(id) ?? null
  const seen = await read()
  const [criterion] = all.fake.control.account('1234567890').held.campaignCriterion.keys()
  all.fake.control.edit('1234567890', [{ campaignCriterionOperation: { remove: criterion } }])
  const apply = { marker: 'fd:1', validateOnly: false }
  const none = { ...body, schedule: [] }
  await expect(all.adapter.apply(all.access, none, { ...apply, seen })).rejects.toMatchObject({
    kind: 'conflict',
  })
  const again = await read()
  expect(again?.observed.schedule).toEqual([])
  await all.adapter.apply(all.access, none, { ...apply, seen: again })
})

test('a campaign that our lost write has made is taken over by its name and mark', async () => {
  const { id, body } = await withOne()
  const apply = { seen: null, marker: 'fd:1', validateOnly: false }
  expect(await all.adapter.apply(all.access, body, apply)).toEqual({ id })
  const other = { ...apply, marker: 'fd:2' }
  await expect(all.adapter.apply(all.access, body, other)).rejects.toMatchObject({
    ...{ kind: 'invalid', errors: [{ pointer: '/name' }] },
  })
})

test.each([
  ['less than one answer for each operation', { mutateOperationResponses: [] }],
  [
    'an operation that failed',
    {
      mutateOperationResponses: [{ campaignBudgetResult: { resourceName: 'customers/1/x/2' } }],
      partialFailureError: { code: 3, message: 'One of them is refused.' },
    },
  ],
])('a write that is answered by %s is never taken for done', async (_, body) => {
  const { id, body: planned } = await withOne()
  const seen = (await all.adapter.read(all.access, { ids: [id] })).get(id) ?? null
  const text = JSON.stringify(body)
  const answer = { status: 200, text, header: () => null, json: () => JSON.parse(text) }
  all.access.fetch = () => Promise.resolve(answer)
  const next = { ...planned, budget: { ...planned.budget, micros: '50000000' } }
  await expect(
    all.adapter.apply(all.access, next, { seen, marker: 'fd:1', validateOnly: false }),
  ).rejects.toMatchObject({ kind: 'unknown_outcome' })
})

test.each([
  [{ error: { code: 500, details: [{ errors: [{ errorCode: { internalError: 'X' } }] }] } }],
  [{ error: { code: 14, message: 'The stream was cut.' } }],
])('a stream that breaks off with an error is no whole answer: %#', async (error) => {
  const { id } = await withOne()
  const parts = [{ results: [], fieldMask: 'campaign.id' }, error]
  const text = JSON.stringify(parts)
  const answer = { status: 200, text, header: () => null, json: () => JSON.parse(text) }
  all.access.fetch = () => Promise.resolve(answer)
  await expect(all.adapter.read(all.access, { ids: [id] })).rejects.toThrow(NetworkFault)
})

test('marks stand in queries, and nothing else does', async () => {
  all = await opened()
  await expect(all.adapter.read(all.access, { marker: "fd:x' OR '" })).rejects.toThrow('mark')
  expect((await all.adapter.read(all.access, { ids: ["1) OR ('"] })).size).toBe(0)
})

test('an account is known with its dashes', async () => {
  all = await opened({ accountRef: '123-456-7890' })
  expect(await all.adapter.account(all.access)).toMatchObject({ ref: '123-456-7890' })
})

test('a limit of the credential holds for all of its accounts, and one of the account for that alone', async () => {
  const text = JSON.stringify({ ...JSON.parse(credential), note: crypto.randomUUID() })
  all = await opened({ text })
  const [other, stranger] = [all.another('2222222222'), all.another('3333333333', credential)]
  await all.adapter.account(other)
  const limited = (scope: 'ACCOUNT' | 'DEVELOPER') => {
    all.fake.control.setFaults([{ kind: 'quota', times: 1, seconds: 600, scope }])
    return expect(all.adapter.account(all.access)).rejects.toMatchObject({
      ...{ kind: 'rate_limited', retryAfterSeconds: 600 },
    })
  }
  await limited('ACCOUNT')
  await all.adapter.account(other)
  await limited('DEVELOPER')
  const before = counts()
  await expect(all.adapter.account(other)).rejects.toMatchObject({ kind: 'rate_limited' })
  await expect(all.adapter.account(all.access)).rejects.toMatchObject({ kind: 'rate_limited' })
  expect(counts()).toBe(before)
  await all.adapter.account(stranger)
})

test('an account without campaigns is looked at too', async () => {
  all = await opened()
  await poll()
  all.fake.control.account('1234567890').status = 'SUSPENDED'
  let facts = await all.adapter.account(all.access)
  for (let round = 0; round < 5; round += 1) facts = await all.adapter.account(all.access)
  expect(facts.status).toBe('suspended')
  expect(await poll()).toBe(1)
})
