import assert from 'node:assert/strict'
import type { Access } from './contract/access.ts'
import type { Adapter, Seen } from './contract/adapter.ts'
import { NetworkFault } from './contract/fault.ts'
import { fields, type Plan } from './contract/plan.ts'

/** The tests that every adapter must pass, on a network or a fake of one. For any runner of tests. */

export type Tested<Body> = {
  adapter: Adapter<Body>
  access: Access
  /** A plan that the network can hold, in the currency of the account. */
  plan: Plan
  /** Whether the network shows at once what was written; else how long it takes. */
  catchUp?: () => Promise<void>
}

type AdapterTest = { name: string; run: () => Promise<void> }

const marker = () => `fd:${crypto.randomUUID().replaceAll('-', '').slice(0, 26)}`

/** `open` makes an empty account for each test. */
export const adapterTests = <Body>(open: () => Promise<Tested<Body>>): AdapterTest[] =>
  Object.entries(tests).map(([name, run]) => ({ name, run: async () => run(await open()) }))

type Run = <Body>(tested: Tested<Body>) => Promise<void>

const tests: Readonly<Record<string, Run>> = {
  'says how it keeps each field': async ({ adapter }) => {
    for (const field of fields)
      assert.ok(['native', 'emulated', 'refused'].includes(adapter.coverage[field]), field)
  },

  'says which account it is': async ({ adapter, access }) => {
    const { ref, currency, time_zone, status } = await adapter.account(access)
    assert.equal(ref, access.accountRef)
    assert.match(currency, /^[A-Z]{3}$/)
    assert.ok(time_zone.length > 0)
    assert.equal(status, 'active')
  },

  'plans without calls, and the same each time': async ({ adapter, access, plan }) => {
    const account = await adapter.account(access)
    assert.deepEqual(adapter.plan(plan, account), adapter.plan(structuredClone(plan), account))
  },

  'creates a campaign that is found by its mark and by its id': async (tested) => {
    const { adapter, access, plan } = tested
    const mark = marker()
    assert.equal((await adapter.read(access, { marker: mark })).size, 0)
    const seen = await made(tested, { ...plan, run: 'paused' }, mark)
    assert.equal(seen.marker, mark)
    assert.deepEqual([...(await adapter.read(access, { marker: mark })).keys()], [seen.id])
    assertShows(adapter, seen, { ...plan, run: 'paused' })
  },

  'only tries out what it is to try out': async ({ adapter, access, plan }) => {
    const mark = marker()
    const body = bodyOf(adapter, plan, await adapter.account(access))
    await adapter.apply(access, body, { seen: null, marker: mark, validateOnly: true })
    assert.equal((await adapter.read(access, { marker: mark })).size, 0)
  },

  'changes what differs, and leaves the rest': async (tested) => {
    const { adapter, access, plan } = tested
    const seen = await made(tested, { ...plan, run: 'paused' }, marker())
    const next: Plan = { ...plan, run: 'enabled', name: `${plan.name} renamed` }
    const after = await applied(tested, next, seen)
    assert.equal(after.id, seen.id)
    assertShows(adapter, after, next)
    assert.equal(after.marker, seen.marker)
    const again = await applied(tested, next, after)
    assert.deepEqual(again.observed, after.observed)
    const { observed } = theSeen((await adapter.read(access, { ids: [seen.id] })).get(seen.id))
    assert.deepEqual(observed, after.observed)
  },

  'lists all campaigns of the account': async (tested) => {
    const { adapter, access, plan } = tested
    const ids: string[] = []
    for (const name of ['One', 'Two', 'Three'])
      ids.push((await made(tested, { ...plan, run: 'paused', name }, marker())).id)
    const listed = await Array.fromAsync(adapter.inventory(access), ({ id }) => id)
    for (const id of ids) assert.ok(listed.includes(id), id)
    assert.equal(new Set(listed).size, listed.length)
  },

  'leaves out what is not there': async ({ adapter, access }) => {
    assert.equal((await adapter.read(access, { ids: ['0'] })).size, 0)
  },

  'removes a campaign, and does not mind that it is removed': async (tested) => {
    const { adapter, access, plan } = tested
    const { id } = await made(tested, { ...plan, run: 'paused' }, marker())
    await adapter.remove(access, id)
    await tested.catchUp?.()
    assert.equal((await adapter.read(access, { ids: [id] })).size, 0)
    await adapter.remove(access, id)
  },

  'refuses a plan with the field at fault': async ({ adapter, access, plan }) => {
    const account = await adapter.account(access)
    const nameless = { ...plan, name: '' }
    const planned = adapter.plan(nameless, account)
    if ('refused' in planned) return assert.ok(planned.refused.errors.length > 0)
    const apply = { seen: null, marker: marker(), validateOnly: true }
    await assert.rejects(adapter.apply(access, planned.body, apply), (error) => {
      assert.ok(error instanceof NetworkFault)
      assert.equal(error.kind, 'invalid')
      assert.equal(error.errors[0]?.pointer, '/name')
      return true
    })
  },

  'reports results of days within those asked for': async (tested) => {
    const { adapter, access, plan } = tested
    const { id } = await made(tested, { ...plan, run: 'paused' }, marker())
    const days = { from: '2026-01-01', to: '2026-01-31' }
    for await (const row of adapter.results(access, [id], days)) {
      assert.equal(row.id, id)
      assert.ok(row.date >= days.from && row.date <= days.to)
      assert.ok(Number.isSafeInteger(row.spend_minor))
    }
  },
}

function bodyOf<Body>(
  adapter: Adapter<Body>,
  plan: Plan,
  account: Parameters<typeof adapter.plan>[1],
) {
  const planned = adapter.plan(plan, account)
  if ('refused' in planned) throw new Error(`the plan is refused: ${planned.refused.code}`)
  return planned.body
}

async function made<Body>(tested: Tested<Body>, plan: Plan, mark: string): Promise<Seen> {
  const { adapter, access } = tested
  const body = bodyOf(adapter, plan, await adapter.account(access))
  const { id } = await adapter.apply(access, body, {
    seen: null,
    marker: mark,
    validateOnly: false,
  })
  await tested.catchUp?.()
  return theSeen((await adapter.read(access, { ids: [id] })).get(id))
}

async function applied<Body>(tested: Tested<Body>, plan: Plan, seen: Seen): Promise<Seen> {
  const { adapter, access } = tested
  const body = bodyOf(adapter, plan, await adapter.account(access))
  const apply = { seen, marker: seen.marker ?? '', validateOnly: false }
  await adapter.apply(access, body, apply)
  await tested.catchUp?.()
  return theSeen((await adapter.read(access, { ids: [seen.id] })).get(seen.id))
}

function theSeen(seen: Seen | undefined): Seen {
  assert.ok(seen, 'what was written cannot be read')
  return seen
}

/** All that can be seen is as planned; amounts are whole. */
function assertShows<Body>({ coverage }: Adapter<Body>, { observed }: Seen, plan: Plan): void {
  assert.equal(observed.run, plan.run)
  if (coverage.name === 'native') assert.equal(observed.name, plan.name)
  if (coverage.budget !== 'native') return
  for (const member of ['daily_budget_minor', 'lifetime_budget_minor'] as const)
    if (observed[member] !== undefined) assert.equal(observed[member], plan[member], member)
}
