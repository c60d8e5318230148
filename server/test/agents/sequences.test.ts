import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignAfter } from '../support/cases/writes.ts'
import { agentOf } from '../support/clients/agents.ts'
import { mcpClient, publicUrl } from '../support/clients/mcp.ts'
import { openWorld, type TestOrganization, unlimited, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { ...unlimited, FLIGHTDECK_PUBLIC_URL: publicUrl } })
})
afterAll(() => world.close())

/** Number of sequences: `FLIGHTDECK_TEST_SEQUENCES=10000` runs as many. */
const runs = Number(process.env.FLIGHTDECK_TEST_SEQUENCES ?? 25)

const [envelope, cap, campaigns] = [40, 60, 3]

const at = fc.nat(campaigns - 1)
const cents = fc.integer({ min: 500, max: 7000 })
const action = fc.constantFrom('launch', 'pause', 'resume', 'complete')

const operation = fc.oneof(
  fc.record({ at, cents }),
  fc.record({ at, lifetime: cents }),
  fc.record({ at, action }),
)
type Operation = { at: number; cents?: number; lifetime?: number; action?: string }

const step = fc.oneof(
  fc.record({ operations: fc.array(operation, { minLength: 1, maxLength: 4 }) }),
  fc.record({ apply: fc.nat(7) }),
  fc.record({ stop: at }),
)
type Step = { operations?: Operation[]; apply?: number; stop?: number }

function operationOf(ids: readonly string[], { at, cents, lifetime, action }: Operation) {
  const id = ids[at]
  if (action) return { op: 'action', id, action }
  const body =
    cents === undefined ? { lifetime_budget: Number(lifetime) / 2 } : { daily_budget: cents / 100 }
  return { op: 'update', id, body }
}

type Row = { status: string; daily_budget_minor: number }

/** Sum of what those that run may cost a day, and the dearest of it. */
async function costOf({ organization: { owner }, label }: Desk) {
  const rows: Row[] = (await owner.get(`/campaigns?label=${label}`)).json().data
  expect(rows).toHaveLength(campaigns)
  const running = rows.filter(({ status }) => status === 'active' || status === 'scheduled')
  const costs = running.map(({ daily_budget_minor }) => daily_budget_minor)
  return { sum: costs.reduce((sum, cost) => sum + cost, 0), most: Math.max(0, ...costs) }
}

/** Sequences that share an organization: each has a key and campaigns of its own. */
const each = 50
let shared: TestOrganization | undefined
let begun = 0

async function organizationOfNext(): Promise<TestOrganization> {
  if (shared === undefined || begun % each === 0) {
    shared = await world.organization()
    await shared.owner.put('/organization/guardrails', { max_daily_budget: { USD: cap } })
  }
  begun += 1
  return shared
}

/** An agent at work, and three campaigns: one that runs, and two drafts. */
async function desk() {
  const organization = await organizationOfNext()
  const terms = { apply: 'within_envelope', envelope_24h: { USD: envelope } }
  const { id: keyId, key } = await agentOf(world, organization, terms)
  const label = `desk-${begun}`
  const ids: string[] = []
  for (let n = 0; n < campaigns; n += 1) {
    ids.push(await campaignAfter(organization, n === 0 ? ['launch'] : [], { labels: [label] }))
  }
  const client = await mcpClient(world, key)
  const call = async (name: string, given: Record<string, unknown>) =>
    JSON.parse(JSON.stringify(await client.callTool({ name, arguments: given }))).structuredContent
  return { organization, keyId, label, ids, call, sets: [] as string[] }
}
type Desk = Awaited<ReturnType<typeof desk>>

async function take({ ids, call, sets }: Desk, { operations, apply, stop }: Step): Promise<void> {
  if (stop !== undefined) return call('stop_spend', { ids: [ids[stop]] })
  if (operations) {
    const given = { title: 'Next', operations: operations.map((one) => operationOf(ids, one)) }
    sets.push((await call('propose_changes', given)).change_set.id)
  }
  const chosen = apply === undefined ? sets.at(-1) : sets[apply % Math.max(1, sets.length)]
  if (chosen) await call('apply_change_set', { id: chosen })
}

test('no sequence of calls takes an agent over its envelope, a guardrail or an approval', async () => {
  let applied = 0
  const holds = async (steps: Step[]) => {
    const at = await desk()
    const { owner } = at.organization
    const before = await costOf(at)
    for (const step of steps) {
      await take(at, step)
      const now = await costOf(at)
      expect(now.sum).toBeLessThanOrEqual(before.sum + envelope * 100)
      expect(now.most).toBeLessThanOrEqual(cap * 100)
      // Its refusals are not what is tried here.
      await owner.post(`/api_keys/${at.keyId}/resume`)
    }
    const path = `/change_sets?limit=100&created_by=${at.keyId}`
    const all: Listed[] = (await owner.get(path)).json().data
    expect(all).toHaveLength(at.sets.length)
    expect(all.filter(({ approved_by }) => approved_by !== null)).toEqual([])
    applied += all.filter(({ status }) => status === 'applied').length
  }
  const steps = fc.array(step, { minLength: 6, maxLength: 12 })
  await fc.assert(fc.asyncProperty(steps, holds), { numRuns: runs })
  expect(applied).toBeGreaterThan(0)
}, 3_600_000)

type Listed = { approved_by: string | null; status: string }

test('a revoked key is dead at once', async () => {
  const organization = await world.organization()
  const { id, key } = await agentOf(world, organization)
  const client = await mcpClient(world, key)
  expect((await client.callTool({ name: 'find_campaigns' })).isError).toBeFalsy()
  await organization.owner.delete(`/api_keys/${id}`)
  await expect(client.callTool({ name: 'find_campaigns' })).rejects.toThrow()
})
