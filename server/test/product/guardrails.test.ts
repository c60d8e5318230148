import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveDue } from '../../src/features/campaigns/timed-moves.ts'
import {
  type Actor,
  type Answer,
  type Campaign,
  isRunning,
  type Model,
  type Naming,
  type Rules,
} from '../support/cases/guardrail-breaches.ts'
import { type Action, actions, alter, pass, take } from '../support/cases/guardrail-model.ts'
import {
  dayMs,
  fullestDay,
  openMs,
  type Plan,
  type ScheduleName,
  schedules,
} from '../support/cases/guardrail-plans.ts'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'
import { type Client, type TestOrganization, unlimited } from '../support/world.ts'

let world: OwnWorld

// A database of its own: whatever is due anywhere moves.
beforeAll(async () => {
  world = await openOwnWorld({ env: unlimited })
})
afterAll(() => world.close())

const roles = ['owner', 'admin', 'editor', 'editor'] as const

type Step = {
  who: number
  at: number
  override: boolean
  inBulk: boolean
  naming: Naming
  do: Doing
}
type Doing = { action: Action } | { change: Change } | { rules: Ruling } | { hours: number }
type Ruling = Omit<Rules, 'profileCap'>

/** Times in days since the start of the walk. */
type Change = Partial<Omit<Plan, 'start' | 'end'> & { start: number | null; end: number | null }>

const orNone = <T>(...values: T[]) => fc.constantFrom(null, ...values)

const ruling: fc.Arbitrary<Ruling> = fc.record({
  most: orNone(300_00, 400_00),
  mostLifetime: orNone(2_000_00, 9_000_00),
  unlisted: fc.constantFrom('allow', 'allow', 'refuse'),
  percent: orNone(20, 50),
  dayPercent: orNone(50, 100),
  approval: fc.constantFrom<Ruling['approval'][]>('never', 'never', 'always', { above: 150_00 }),
  approvers: fc.constantFrom(['owner', 'admin'], ['owner', 'admin', 'editor'], ['editor']),
})

const dailies = fc.constantFrom(100_00, 120_00, 150_00, 180_00, 200_00, 300_00, 500_00)
const lifetimes = fc.constantFrom(100_00, 500_00, 1_000_00, 1_500_00, 3_000_00, 9_000_00)
const ends = fc.constantFrom(null, 5, 12, 14.25, 30, 45)
const starts = fc.constantFrom(null, 2, 6.5, 11)
const scheduleNames = fc.constantFrom(...(Object.keys(schedules) as ScheduleName[]))

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ daily: dailies }) },
  { weight: 4, arbitrary: fc.record({ lifetime: lifetimes }) },
  { weight: 3, arbitrary: fc.record({ daily: fc.constant(null), lifetime: lifetimes, end: ends }) },
  { weight: 2, arbitrary: fc.record({ lifetime: lifetimes, end: ends, schedule: scheduleNames }) },
  { weight: 3, arbitrary: fc.record({ end: ends }) },
  { weight: 2, arbitrary: fc.record({ start: starts }) },
  { weight: 3, arbitrary: fc.record({ schedule: scheduleNames }) },
  { weight: 1, arbitrary: fc.record({ objective: fc.constantFrom('sales', 'traffic') }) },
  { weight: 1, arbitrary: fc.record({ zone: fc.constantFrom('UTC', 'Africa/Abidjan') }) },
)

const frequent = ['launch', 'submit', 'approve', 'pause', 'resume', 'withdraw'] as const

/** Mostly actions that keep a campaign going: a completed one has few rules left. */
const doing: fc.Arbitrary<Doing> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...actions).map((action) => ({ action })) },
  { weight: 10, arbitrary: fc.constantFrom(...frequent).map((action) => ({ action })) },
  { weight: 12, arbitrary: change.map((change) => ({ change })) },
  { weight: 1, arbitrary: ruling.map((rules) => ({ rules })) },
  { weight: 2, arbitrary: fc.constantFrom(5, 20, 30, 100).map((hours) => ({ hours })) },
)

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.nat({ max: roles.length - 1 }),
  at: fc.nat({ max: 2 }),
  override: fc.constantFrom(false, false, true),
  inBulk: fc.boolean(),
  naming: fc.constantFrom<Naming[]>('none', 'none', 'present', 'present', 'any', 'other'),
  do: doing,
})

/** Rare by chance: one submits, another approves, and then more is requested. */
const approval: fc.Arbitrary<Step[]> = fc.tuple(step, change).map(([{ at, inBulk }, change]) => {
  const common = { at, inBulk, naming: 'present' as const, override: false }
  return [
    { ...common, who: 2, do: { action: 'submit' } },
    { ...common, who: 0, override: true, do: { action: 'approve' } },
    { ...common, who: 3, do: { change } },
  ]
})

/** A lifetime budget that runs for a while and is then changed. */
const flight: fc.Arbitrary<Step[]> = fc
  .tuple(step, fc.array(change, { minLength: 2, maxLength: 4 }))
  .map(([{ at, inBulk }, changes]) => {
    const common = { at, inBulk, naming: 'none' as const, override: false, who: 3 }
    const plan = { daily: null, lifetime: 1_000_00, end: 12 }
    return [
      { ...common, do: { change: plan } },
      { ...common, do: { action: 'launch' } },
      ...changes.flatMap((change): Step[] => [
        { ...common, do: { hours: 30 } },
        { ...common, do: { change } },
      ]),
    ]
  })

const steps = fc
  .array(
    fc.oneof(
      { weight: 16, arbitrary: step.map((step) => [step]) },
      { weight: 2, arbitrary: approval },
      { weight: 1, arbitrary: flight },
    ),
    { minLength: 20, maxLength: 35 },
  )
  .map((parts) => parts.flat())

/** The service, and the model that it must agree with. */
type Run = {
  organization: TestOrganization
  model: Model
  begun: number
  ids: string[]
  people: { client: Client; actor: Actor }[]
  /** Per campaign, in cents: the cost of a day if all that runs spends its rest evenly. */
  spent: number[]
}

/** New users each time: tokens expire while days pass. */
const peopleOf = (organization: TestOrganization): Promise<Run['people']> =>
  Promise.all(
    roles.map(async (role) => {
      const client = await organization.as(role)
      return { client, actor: { id: client.userId, role } }
    }),
  )

const inUsd = (cents: number | null) => (cents === null ? {} : { USD: cents / 100 })

const rulesBody = (rules: Ruling) => ({
  max_daily_budget: inUsd(rules.most),
  max_lifetime_budget: inUsd(rules.mostLifetime),
  unlisted_currencies: rules.unlisted,
  max_increase_percent: rules.percent,
  max_increase_percent_24h: rules.dayPercent,
  approval:
    typeof rules.approval === 'string'
      ? { mode: rules.approval, amounts: {} }
      : { mode: 'above', amounts: inUsd(rules.approval.above) },
  approver_roles: rules.approvers,
})

const nowMs = () => world.clock.now().getTime()

async function begin(rules: Ruling, profileCap: number | null): Promise<Run> {
  const organization = await world.organization()
  const daily_budget_cap = profileCap === null ? null : profileCap / 100
  const profile = await profileOf(organization, { daily_budget_cap })
  const now = nowMs()
  const plans = [draft(null), draft(null), draft(now + 6.5 * dayMs)]
  const ids = await Promise.all(
    plans.map(({ plan }) =>
      made(organization.owner, '/campaigns', { ...campaignBody(profile), ...fieldsOf(plan) }),
    ),
  )
  await organization.owner.put('/organization/guardrails', rulesBody(rules))
  const campaigns = plans.map((campaign) => ({
    ...campaign,
    plans: [{ at: now, plan: campaign.plan }],
  }))
  const model = { rules: { ...rules, profileCap }, campaigns, now }
  const people = await peopleOf(organization)
  return { organization, model, begun: now, ids, people, spent: ids.map(() => 0) }
}

const firstPlan = { daily: 100_00, lifetime: null, end: null, schedule: 'always' } as const

const draft = (start: number | null): Omit<Campaign, 'plans'> => ({
  plan: { ...firstPlan, start, objective: 'sales', zone: 'UTC' },
  counted: 0,
  status: 'draft',
  archivedFrom: '',
  submission: null,
  approved: null,
  launchedAt: null,
  passed: {},
})

/** Takes the step in both; they must agree. */
async function go(run: Run, step: Step): Promise<void> {
  const { do: doing } = step
  await wait(run, 'hours' in doing ? doing.hours * 3_600_000 : 1000)
  if ('hours' in doing) return
  if ('rules' in doing) return rule(run, doing.rules)
  await agree(run, { ...step, do: doing })
}

/** Time passes: money is spent, and what is due happens. */
async function wait(run: Run, ms: number): Promise<void> {
  const { model, organization } = run
  const from = model.now
  world.clock.advance(ms)
  model.now = nowMs()
  run.spent = run.spent.map((spent, at) => spent + spentBy(run, at, from))
  pass(model)
  await moveDue(world.services, AbortSignal.timeout(20_000))
  if (ms > 3_600_000) run.people = await peopleOf(organization)
}

/**
 * The part of a lifetime budget that is spent from then until now; a campaign spends nothing before
 * its start.
 */
function spentBy({ model, spent }: Run, at: number, from: number): number {
  const campaign = model.campaigns[at]
  if (!campaign || !isRunning(campaign)) return 0
  const { daily, lifetime, start, end, schedule } = campaign.plan
  if (daily !== null || lifetime === null || end === null) return 0
  const begun = Math.max(from, start ?? from)
  const open = openMs(schedule, begun, Math.min(model.now, end))
  const all = openMs(schedule, begun, end)
  return all === 0 ? 0 : ((lifetime - (spent[at] ?? 0)) * open) / all
}

async function rule({ people, model }: Run, rules: Ruling): Promise<void> {
  const reply = await people[0]?.client.put('/organization/guardrails', rulesBody(rules))
  expect(reply?.statusCode).toBe(200)
  model.rules = { ...rules, profileCap: model.rules.profileCap }
}

type Act = Step & { do: { action: Action } | { change: Change } }

async function agree(run: Run, step: Act): Promise<void> {
  const { model, ids, people, begun } = run
  const { who, at, override, do: doing } = step
  const person = people[who]
  if (!person) throw new Error('there is no such person')
  const campaignPath = `/campaigns/${ids[at]}`
  const { version } = (await person.client.get(campaignPath)).json()
  const asked = { actor: person.actor, at, override, naming: step.naming }
  const wanted = 'change' in doing ? inTime(doing.change, begun) : {}
  const expected =
    'action' in doing ? take(model, doing.action, asked) : alter(model, wanted, asked)
  const given = await ask(person.client, { id: String(ids[at]), step, wanted, version })
  expect([step, given.code, expected.rules]).toEqual([step, expected.code, expected.rules])
  if (given.rule !== undefined) expect(expected.rules).toContain(given.rule)
  const shown = (await person.client.get(campaignPath)).json()
  const { plan, status } = model.campaigns[at] ?? {}
  expect([step, shown.status, shown]).toMatchObject([step, status, plan ? fieldsOf(plan) : {}])
}

/** A change of the walk with its days as times. */
function inTime(change: Change, begun: number): Partial<Plan> {
  const timeOf = (days: number | null) => (days === null ? null : begun + days * dayMs)
  return {
    ...change,
    ...(change.start !== undefined && { start: timeOf(change.start) }),
    ...(change.end !== undefined && { end: timeOf(change.end) }),
  } as Partial<Plan>
}

type Given = { code: Answer['code']; rule?: string }
type Asking = { id: string; step: Act; wanted: Partial<Plan>; version: number }

async function ask(client: Client, { id, step, wanted, version }: Asking): Promise<Given> {
  const { do: doing, override, inBulk, naming } = step
  const headers: Record<string, string> = override ? { 'x-override-reason': 'Because' } : {}
  const body = 'action' in doing ? bodyOf(doing.action) : fieldsOf(wanted)
  const named = { none: undefined, any: undefined, present: version, other: version + 1 }[naming]
  if (inBulk) {
    const what = 'action' in doing ? { op: 'action', action: doing.action } : { op: 'update' }
    const operation = { ...what, id, body, ...(named !== undefined && { version: named }) }
    const payload = { mode: 'partial', operations: [operation] }
    const [result] = (await client.post('/campaigns/bulk', payload, headers)).json().results
    return result.problem ?? { code: 'ok' }
  }
  if (named !== undefined) headers['if-match'] = `"${named}"`
  if (naming === 'any') headers['if-match'] = '*'
  const reply =
    'action' in doing
      ? await client.post(`/campaigns/${id}/${doing.action}`, body, headers)
      : await client.patch(`/campaigns/${id}`, body, headers)
  return reply.statusCode === 200 ? { code: 'ok' } : reply.json()
}

const bodyOf = (action: Action) => (action === 'reject' ? { reason: 'No' } : {})

/** A plan, or a part of it, as the API has it. */
function fieldsOf(plan: Partial<Plan>): Record<string, unknown> {
  const usd = (cents?: number | null) => (typeof cents === 'number' ? cents / 100 : cents)
  const time = (ms?: number | null) => (typeof ms === 'number' ? new Date(ms).toISOString() : ms)
  const fields = {
    daily_budget: usd(plan.daily),
    lifetime_budget: usd(plan.lifetime),
    start_at: time(plan.start),
    end_at: time(plan.end),
    schedule: plan.schedule && schedules[plan.schedule].windows,
    objective: plan.objective,
    time_zone: plan.zone,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/**
 * Invariant: with even spending, nothing that runs costs more in a day than was admitted, nor
 * together more than the profile's cap.
 */
function expectWithinCaps({ model, spent }: Run): void {
  const all = model.campaigns.filter(isRunning)
  for (const campaign of all) {
    const left = (campaign.plan.lifetime ?? 0) - (spent[model.campaigns.indexOf(campaign)] ?? 0)
    const [part, whole] = fullestDay(campaign.plan, model.now)
    const cost = campaign.plan.daily ?? (left * part) / whole
    expect(cost).toBeLessThanOrEqual(campaign.counted + 0.001)
  }
  const sum = all.reduce((sum, { counted }) => sum + counted, 0)
  expect(sum).toBeLessThanOrEqual(model.rules.profileCap ?? Number.MAX_SAFE_INTEGER)
}

async function expectSound({ organization, model, ids }: Run): Promise<void> {
  const owner = await organization.as('owner')
  const campaigns = await Promise.all(
    ids.map(async (id) => (await owner.get(`/campaigns/${id}`)).json()),
  )
  expect(campaigns.map(({ status }) => status)).toEqual(model.campaigns.map(({ status }) => status))
  expect((await owner.get('/audit_logs/verify')).json().valid).toBe(true)
}

test('the service and a small model of the rules agree on every step', async () => {
  await fc.assert(
    fc.asyncProperty(ruling, orNone(250_00, 500_00), steps, async (rules, profileCap, steps) => {
      const run = await begin(rules, profileCap)
      for (const step of steps) {
        await go(run, step)
        expectWithinCaps(run)
      }
      await expectSound(run)
    }),
    { numRuns: 15, endOnFailure: true },
  )
}, 60_000)
