import { afterEach, expect, test } from 'vitest'
import { credential } from '../test/credential.ts'
import { type Opened, opened } from '../test/opened.ts'

// Requests of one account: what is asked, and what answers are taken for.

let all: Opened
afterEach(() => all.fake.close())

const facts = () => all.adapter.account(all.access)

/** A query, a trial and a write; each is one request. */
async function requests() {
  const planned = all.adapter.plan(all.plan, await facts())
  if ('refused' in planned) throw new Error('refused')
  const create = (validateOnly: boolean) =>
    all.adapter.apply(all.access, planned.body, { seen: null, marker: 'fd:1', validateOnly })
  return [facts, () => create(true), () => create(false)]
}

const kindsOf = async (each: readonly (() => Promise<unknown>)[]) => {
  const kinds: unknown[] = []
  for (const ask of each)
    kinds.push(
      await ask().then(
        () => 'done',
        (error) => error.kind,
      ),
    )
  return kinds
}

const answerWith = (body: unknown, status = 200) => {
  const text = JSON.stringify(body)
  const answer = { status, text, header: () => null, json: () => JSON.parse(text) }
  all.access.fetch = () => Promise.resolve(answer)
}

test.each(['', 'x', 'x123', '123x', '1'.repeat(20)])(
  '%j is no account, and nothing is asked of it',
  async (accountRef) => {
    all = await opened({ accountRef })
    await expect(facts()).rejects.toMatchObject({
      ...{ kind: 'blocked', code: 'setting' },
      message: `${accountRef} is no customer id of Google Ads.`,
    })
    expect(all.fake.counts.size).toBe(0)
  },
)

test.each(['transient', 'rubbish', 'lose_after'] as const)(
  'a fault like %s leaves open whether a write is done, and no more',
  async (kind) => {
    all = await opened()
    const each = await requests()
    all.fake.control.setFaults([{ kind }])
    expect(await kindsOf(each)).toEqual(['transient', 'transient', 'unknown_outcome'])
  },
)

test.each([[7], ['x'], [null], [[7]], [[{ results: {} }]], [[{ results: [7] }]]])(
  'an answer like %j is that of no request',
  async (body) => {
    all = await opened()
    const each = await requests()
    answerWith(body)
    expect(await kindsOf(each)).toEqual(['transient', 'transient', 'unknown_outcome'])
  },
)

test('a stream that breaks off is a query that may succeed later', async () => {
  all = await opened()
  answerWith([{ results: [] }, { error: { code: 14 } }])
  expect(await kindsOf([facts])).toEqual(['transient'])
})

test('responses that are no list are none', async () => {
  all = await opened()
  const [, ...writes] = await requests()
  answerWith({ mutateOperationResponses: { length: 5 } })
  expect(await kindsOf(writes)).toEqual(['transient', 'unknown_outcome'])
})

test.each([199, 300, 302])(
  'an answer of the status %i is a fault, whatever it has',
  async (status) => {
    all = await opened()
    const [, ...writes] = await requests()
    answerWith({}, status)
    expect(await kindsOf(writes)).toEqual(['transient', 'unknown_outcome'])
    answerWith([], status)
    await expect(all.adapter.read(all.access, { ids: ['1'] })).rejects.toMatchObject({
      message: `Google Ads answers ${status}.`,
    })
  },
)

test('the rows of all parts of an answer count', async () => {
  all = await opened()
  const part = (days: string) => ({
    results: [{ conversionAction: { clickThroughLookbackWindowDays: days } }],
  })
  answerWith([part('7'), {}, part('40')])
  expect(await all.adapter.openDays?.(all.access)).toBe(43)
})

test('an hour that is refused is said in its place', async () => {
  all = await opened()
  const schedule = (['10:00', '08:00'] as const).map((start) => ({
    ...{ day: 'mon' as const, start, end: '12:00' },
  }))
  const planned = all.adapter.plan({ ...all.plan, schedule }, await facts())
  if ('refused' in planned) throw new Error('refused')
  const apply = { seen: null, marker: 'fd:1', validateOnly: false }
  await expect(all.adapter.apply(all.access, planned.body, apply)).rejects.toMatchObject({
    ...{ kind: 'invalid', errors: [{ pointer: '/schedule/1' }] },
  })
})

test('a limit that a write hears of holds for all requests of the credential', async () => {
  all = await opened({
    text: JSON.stringify({ ...JSON.parse(credential), note: crypto.randomUUID() }),
  })
  const each = await requests()
  const before = new Map(all.fake.counts)
  all.fake.control.setFaults([{ kind: 'quota', times: 1, on: 'write', scope: 'DEVELOPER' }])
  expect(await kindsOf(each.toReversed())).toEqual(Array(3).fill('rate_limited'))
  expect([...all.fake.counts.values()]).toEqual([...before.values(), 1])
})

test('of several errors one is enough for a limit of the credential, and without a wait it has none', async () => {
  all = await opened({
    text: JSON.stringify({ ...JSON.parse(credential), note: crypto.randomUUID() }),
  })
  const each = await requests()
  const errors = (word: string, retryDelay?: string) => ({
    errors: [
      { errorCode: { fieldError: 'REQUIRED' } },
      {
        errorCode: { quotaError: word },
        details: { quotaErrorDetails: { rateScope: 'DEVELOPER', retryDelay } },
      },
    ],
  })
  answerWith({ error: { details: [errors('ACCESS_PROHIBITED')] } }, 403)
  expect(await kindsOf(each)).toEqual(Array(3).fill('credential'))
  const { fetch } = all.access
  answerWith({ error: { details: [errors('RESOURCE_EXHAUSTED', '600s')] } }, 429)
  expect(await kindsOf([facts])).toEqual(['rate_limited'])
  all.access.fetch = fetch
  expect(await kindsOf(each)).toEqual(Array(3).fill('rate_limited'))
})
