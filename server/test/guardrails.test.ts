import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Action,
  type Actor,
  type Answer,
  actions,
  alter,
  type Campaign,
  type Model,
  type Plan,
  type Rules,
  take,
} from './support/guardrail-model.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from './support/world.ts'
import { campaignBody, made, profileOf } from './support/writes.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({ env: unlimited })
})
afterAll(() => world.close())

const roles = ['owner', 'admin', 'editor', 'editor'] as const
const dayMs = 86_400_000

type Step = { who: number; at: number; override: boolean; inBulk: boolean; do: Doing }
type Doing = { action: Action } | { change: Partial<Plan> } | { rules: Ruling } | { hours: number }
type Ruling = Omit<Rules, 'profileCap'>

const orNone = <T>(...values: T[]) => fc.constantFrom(null, ...values)

const ruling: fc.Arbitrary<Ruling> = fc.record({
  most: orNone(300, 400),
  percent: orNone(20, 50),
  dayPercent: orNone(50, 100),
  approval: fc.constantFrom<Ruling['approval'][]>('never', 'never', 'always', { above: 150 }),
  approvers: fc.constantFrom(['owner', 'admin'], ['owner', 'admin', 'editor'], ['editor']),
})

const firstEnd = '2090-01-01T00:00:00.000Z'
const ends = [null, firstEnd, '2091-01-01T00:00:00.000Z']

const change: fc.Arbitrary<Partial<Plan>> = fc.oneof(
  fc.constantFrom(100, 120, 150, 180, 200, 250, 300, 400, 500).map((daily) => ({ daily })),
  fc.constantFrom(...ends).map((end) => ({ end })),
)

const frequent = ['launch', 'submit', 'approve', 'pause', 'resume', 'withdraw'] as const

/** Mostly what keeps a campaign going: one that is completed has little left to disagree about. */
const doing: fc.Arbitrary<Doing> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...actions).map((action) => ({ action })) },
  { weight: 10, arbitrary: fc.constantFrom(...frequent).map((action) => ({ action })) },
  { weight: 10, arbitrary: change.map((change) => ({ change })) },
  { weight: 1, arbitrary: ruling.map((rules) => ({ rules })) },
  { weight: 1, arbitrary: fc.constantFrom(5, 20, 30).map((hours) => ({ hours })) },
)

const step: fc.Arbitrary<Step> = fc.record({
  who: fc.nat({ max: roles.length - 1 }),
  at: fc.nat({ max: 2 }),
  override: fc.constantFrom(false, false, true),
  inBulk: fc.boolean(),
  do: doing,
})

/** What seldom comes together by chance: one submits, another approves, and somebody wants more. */
const approval: fc.Arbitrary<Step[]> = fc.tuple(step, change).map(([{ at, inBulk }, change]) => [
  { who: 2, at, inBulk, override: false, do: { action: 'submit' } },
  { who: 0, at, inBulk, override: true, do: { action: 'approve' } },
  { who: 3, at, inBulk, override: false, do: { change } },
])

const steps = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: step.map((step) => [step]) },
      { weight: 1, arbitrary: approval },
    ),
    { minLength: 20, maxLength: 35 },
  )
  .map((parts) => parts.flat())

/** The service, with the model that it must agree with. */
type Run = {
  organization: TestOrganization
  model: Model
  ids: string[]
  people: { client: Client; actor: Actor }[]
}

/** New people each time: tokens do not last over the days that pass. */
const peopleOf = (organization: TestOrganization): Promise<Run['people']> =>
  Promise.all(
    roles.map(async (role) => {
      const client = await organization.as(role)
      return { client, actor: { id: client.userId, role } }
    }),
  )

const rulesBody = ({ most, percent, dayPercent, approval, approvers }: Ruling) => ({
  max_daily_budget: most === null ? {} : { USD: most },
  max_increase_percent: percent,
  max_increase_percent_24h: dayPercent,
  approval:
    typeof approval === 'string'
      ? { mode: approval, amounts: {} }
      : { mode: 'above', amounts: { USD: approval.above } },
  approver_roles: approvers,
})

async function begin(rules: Ruling, profileCap: number | null): Promise<Run> {
  const organization = await world.organization()
  const daily_budget_cap = profileCap
  const profile = await profileOf(organization, { daily_budget_cap })
  const later = new Date(world.clock.now().getTime() + 40 * dayMs).toISOString()
  const body = { ...campaignBody(profile), daily_budget: 100, end_at: firstEnd }
  const ids = await Promise.all(
    [null, null, later].map((start_at) =>
      made(organization.owner, '/campaigns', { ...body, start_at }),
    ),
  )
  await organization.owner.put('/organization/guardrails', rulesBody(rules))
  const now = world.clock.now().getTime()
  const campaigns = ids.map((_, index) => draft(now, index === 2))
  const model = { rules: { ...rules, profileCap }, campaigns, now }
  return { organization, model, ids, people: await peopleOf(organization) }
}

const draft = (now: number, startsLater: boolean): Campaign => ({
  daily: 100,
  end: firstEnd,
  status: 'draft',
  startsLater,
  archivedFrom: '',
  submission: null,
  approved: null,
  launchedAt: null,
  budgets: [{ at: now, daily: 100 }],
})

/** Takes the step in both; they must agree. */
async function go(run: Run, step: Step): Promise<void> {
  const { model, organization } = run
  const { do: doing } = step
  world.clock.advance('hours' in doing ? doing.hours * 3_600_000 : 1000)
  model.now = world.clock.now().getTime()
  if ('hours' in doing) {
    run.people = await peopleOf(organization)
  } else if ('rules' in doing) {
    const owner = run.people[0]?.client
    const reply = await owner?.put('/organization/guardrails', rulesBody(doing.rules))
    expect(reply?.statusCode).toBe(200)
    model.rules = { ...doing.rules, profileCap: model.rules.profileCap }
  } else {
    await agree(run, { ...step, do: doing })
  }
}

type Act = Step & { do: { action: Action } | { change: Partial<Plan> } }

async function agree({ model, ids, people }: Run, step: Act): Promise<void> {
  const { who, at, override, do: doing } = step
  const person = people[who]
  if (!person) throw new Error('nobody')
  const asked = { actor: person.actor, at, override }
  const expected =
    'action' in doing ? take(model, doing.action, asked) : alter(model, doing.change, asked)
  const given = await ask(person.client, String(ids[at]), step)
  expect([step, given.code, expected.rules]).toEqual([step, expected.code, expected.rules])
  if (given.rule !== undefined) expect(expected.rules).toContain(given.rule)
  const shown = (await person.client.get(`/campaigns/${ids[at]}`)).json()
  const campaign = model.campaigns[at]
  expect([step, shown.status, shown.daily_budget, shown.end_at]).toEqual([
    step,
    campaign?.status,
    campaign?.daily,
    campaign?.end,
  ])
}

type Given = { code: Answer['code']; rule?: string }

async function ask(client: Client, id: string, step: Act): Promise<Given> {
  const { do: doing, override, inBulk } = step
  const headers: Record<string, string> = override ? { 'x-override-reason': 'Because' } : {}
  const body = 'action' in doing ? bodyOf(doing.action) : fieldsOf(doing.change)
  if (inBulk) {
    const what = 'action' in doing ? { op: 'action', action: doing.action } : { op: 'update' }
    const payload = { mode: 'partial', operations: [{ ...what, id, body }] }
    const [result] = (await client.post('/campaigns/bulk', payload, headers)).json().results
    return result.problem ?? { code: 'ok' }
  }
  const reply =
    'action' in doing
      ? await client.post(`/campaigns/${id}/${doing.action}`, body, headers)
      : await client.patch(`/campaigns/${id}`, body, headers)
  return reply.statusCode === 200 ? { code: 'ok' } : reply.json()
}

const bodyOf = (action: Action) => (action === 'reject' ? { reason: 'No' } : {})

const fieldsOf = ({ daily, end }: Partial<Plan>) => ({
  ...(daily === undefined ? {} : { daily_budget: daily }),
  ...(end === undefined ? {} : { end_at: end }),
})

/** Whatever was done, the profile's cap holds, and the audit log is whole. */
async function expectSound({ organization, model, ids }: Run): Promise<void> {
  const owner = await organization.as('owner')
  const campaigns = await Promise.all(
    ids.map(async (id) => (await owner.get(`/campaigns/${id}`)).json()),
  )
  const running = campaigns.filter(({ status }) => ['scheduled', 'active'].includes(status))
  const sum = running.reduce((sum, { daily_budget }) => sum + daily_budget, 0)
  expect(sum).toBeLessThanOrEqual(model.rules.profileCap ?? Number.MAX_SAFE_INTEGER)
  expect((await owner.get('/audit_logs/verify')).json().valid).toBe(true)
}

test('the service and a small model of the rules agree on every step', async () => {
  await fc.assert(
    fc.asyncProperty(ruling, orNone(250, 500), steps, async (rules, profileCap, steps) => {
      const run = await begin(rules, profileCap)
      for (const step of steps) await go(run, step)
      await expectSound(run)
    }),
    { numRuns: 15, endOnFailure: true },
  )
}, 60_000)
