import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setOrganization } from '../../src/features/organizations/organization.ts'
import { change } from '../../src/kernel/change.ts'
import { oneOf, update } from '../../src/kernel/rows.ts'
import { fakeClock } from '../../src/values/clock.ts'
import { campaignBody, made, profileOf } from '../support/cases/writes.ts'
import { watch } from '../support/documented.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../support/world.ts'

let world: World

/** The stories and their start time are fixed, because the time decides what a schedule blocks. */
const morning = new Date()
morning.setUTCHours(9, 30, 0, 0)

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited, clock: fakeClock(morning) }))
})
afterAll(() => world.close())

/** The objects of a story: one campaign, two possible profiles, their proxy, a template. */
type Cast = TestOrganization & {
  paths: Record<Shown, string>
  proxyId: string
  /** People may not approve their own submissions. */
  approver: Client
}
const shown = ['campaign', 'profile', 'other', 'template'] as const
type Shown = (typeof shown)[number]
type Step = (cast: Cast) => Promise<unknown>

async function castOf(organization: TestOrganization): Promise<Cast> {
  const { owner } = organization
  const proxyId = await made(owner, '/proxies', { protocol: 'http', host: 'a.test', port: 8080 })
  const profile = await profileOf(organization, { currency: null })
  const other = await profileOf(organization, { currency: null, proxy_id: proxyId })
  const campaign = await made(owner, '/campaigns', campaignBody(other))
  const template = await made(owner, '/templates', { name: 'T' })
  const paths = {
    campaign: `/campaigns/${campaign}`,
    profile: `/profiles/${profile}`,
    other: `/profiles/${other}`,
    template: `/templates/${template}`,
  }
  return { ...organization, paths, proxyId, approver: await organization.as('admin') }
}

/** A refusal is part of the story too: it leaves everything unchanged. */
const patch =
  (target: Shown, bodyFor: (cast: Cast) => object): Step =>
  (cast) =>
    cast.owner.patch(cast.paths[target], bodyFor(cast))

const act =
  (choice: number): Step =>
  async ({ owner, approver, paths }) => {
    const { available_actions, version } = (await owner.get(paths.campaign)).json()
    const allowed = available_actions
      .filter((each: { allowed: boolean }) => each.allowed)
      .map((each: { action: string }) => each.action)
      // It cannot be undone, so it comes late.
      .filter((name: string) => name !== 'complete' || choice % 6 === 0)
    const name = allowed[choice % allowed.length]
    const body = name === 'reject' ? { reason: 'no' } : {}
    const client = name === 'approve' ? approver : owner
    return client.post(`${paths.campaign}/${name}`, body, { 'if-match': `"${version}"` })
  }

const revert =
  (target: Shown, choice: number): Step =>
  async ({ owner, paths }) => {
    const { version } = (await owner.get(paths[target])).json()
    return owner.post(`${paths[target]}/revert`, { to_version: 1 + (choice % version) })
  }

/** As a check of the proxy does. */
const find =
  (health: 'failing' | 'healthy'): Step =>
  ({ ctx, proxyId: id }) =>
    change(ctx, 'proxy.health_changed', async (ctx) => {
      const { name, status } = await oneOf(ctx, 'proxies', id)
      const before = { id, name, status }
      if (status === health) return { before, after: before }
      update(ctx, 'proxies', { id, health })
      return { before, after: { id, name, status: health } }
    })

const ask =
  (approval: object): Step =>
  ({ owner }) =>
    owner.put('/organization/guardrails', { approval })

/** Suspends the organization, which then refuses writes; the next step finds it active again. */
const suspend: Step = ({ ctx }) => setOrganization(ctx, () => ({ status: 'suspended' }))
const readmit: Step = ({ ctx }) => setOrganization(ctx, () => ({ status: 'active' }))

const text = fc.string({
  minLength: 1,
  maxLength: 8,
  unit: fc.constantFrom('a', 'é', '"', '\\', '😀'),
})
const name = text.map((part) => `${part}.`)
const metadata = fc.dictionary(fc.stringMatching(/^[A-Za-z0-9_.-]{1,5}$/), text, { maxKeys: 4 })
const amount = fc.integer({ min: 100, max: 99_999_999 }).map((minor) => minor / 100)
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const schedule = fc
  .constantFrom(['00:00', '12:00'], ['12:00', '24:00'])
  .map(([start, end]) => days.map((day) => ({ day, start, end })))

const approval = fc.oneof(
  fc.constantFrom({ mode: 'never' }, { mode: 'always' }),
  amount.map((usd) => ({ mode: 'above', amounts: { USD: usd, EUR: 19.99 } })),
)

const some = <Fields>(fields: { [Name in keyof Fields]: Arbitrary<Fields[Name]> }) =>
  fc.record(fields, { requiredKeys: [] })

const wordsOf = { notes: fc.option(text), labels: fc.uniqueArray(name, { maxLength: 3 }), metadata }
const moneyAndTime = { daily_budget: amount, schedule: fc.option(schedule) }
const foundation = {
  objective: fc.constantFrom('sales', 'traffic'),
  time_zone: fc.constantFrom('UTC', 'Asia/Kathmandu'),
  currency: fc.constantFrom('USD', 'EUR'),
}
const seconds = fc.integer({ min: 1, max: 900 })
const inSeconds = (count: number) =>
  new Date(world.clock.now().getTime() + count * 1_000).toISOString()

const steps: [weight: number, Arbitrary<Step>][] = [
  [
    4,
    some({ name, external_id: fc.option(text), ...wordsOf }).map((body) =>
      patch('campaign', () => body),
    ),
  ],
  [3, some(moneyAndTime).map((body) => patch('campaign', () => body))],
  [2, some(foundation).map((body) => patch('campaign', () => body))],
  [3, seconds.map((count) => patch('campaign', () => ({ start_at: inSeconds(count) })))],
  [2, seconds.map((count) => patch('campaign', () => ({ end_at: inSeconds(count) })))],
  [1, fc.constant(patch('campaign', () => ({ start_at: null, end_at: null })))],
  [
    2,
    fc
      .constantFrom('profile' as const, 'other' as const)
      .map((to) => patch('campaign', ({ paths }) => ({ profile_id: paths[to].slice(10) }))),
  ],
  [9, fc.nat().map(act)],
  [4, fc.tuple(fc.constantFrom(...shown), fc.nat()).map((args) => revert(...args))],
  [
    3,
    fc
      .tuple(
        fc.constantFrom('profile' as const, 'other' as const),
        some({ status: fc.constantFrom('active', 'active', 'paused'), ...wordsOf }),
      )
      .map(([target, body]) => patch(target, () => body)),
  ],
  [1, fc.constantFrom(null, 'USD', 'EUR').map((currency) => patch('other', () => ({ currency })))],
  [
    1,
    fc.boolean().map((is) => patch('other', ({ proxyId }) => ({ proxy_id: is ? proxyId : null }))),
  ],
  [2, fc.constantFrom('failing', 'healthy').map(find)],
  [2, fc.constant(suspend)],
  [2, approval.map(ask)],
  [
    3,
    some({ name, metadata, defaults: some({ ...moneyAndTime, ...foundation, notes: text }) }).map(
      (body) => patch('template', () => body),
    ),
  ],
]

const story = fc.array(
  fc.record({
    pauseMs: fc.integer({ min: 1, max: 600_000 }),
    step: fc.oneof(...steps.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
  }),
  { minLength: 20, maxLength: 40 },
)

type Answer = { time: string; target: Shown; answer: Record<string, unknown> }

/** Effects on other objects are not part of a profile's own history. */
const ownPart = ({ campaign_counts: _, ...rest }: Record<string, unknown>) => rest

async function answersNow({ owner, paths }: Cast, targets: readonly Shown[]): Promise<Answer[]> {
  const time = world.clock.now().toISOString()
  const answers = targets.map(async (target) => {
    const reply = await owner.get(paths[target])
    return { time, target, answer: ownPart(reply.json()) }
  })
  return Promise.all(answers)
}

/** Each step at its own instant, with answers right after it and some time later. */
async function play(cast: Cast, steps: { pauseMs: number; step: Step }[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const { pauseMs, step } of steps) {
    world.clock.advance(1)
    await readmit(cast)
    world.clock.advance(1)
    await step(cast)
    answers.push(...(await answersNow(cast, shown)))
    world.clock.advance(pauseMs)
    // Only the delivery of a campaign changes by itself.
    answers.push(...(await answersNow(cast, ['campaign'])))
  }
  return answers
}

async function expectWholeHistory({ owner, paths }: Cast): Promise<number> {
  const lengths = shown.map(async (target) => {
    const { version } = (await owner.get(paths[target])).json()
    const { data } = (await owner.get(`${paths[target]}/history?limit=100`)).json()
    const all = Array.from({ length: version }, (_, at) => version - at)
    expect([target, data.map((each: { version: number }) => each.version)]).toEqual([target, all])
    return version
  })
  return (await Promise.all(lengths)).reduce((sum, length) => sum + length)
}

const readsAtOnce = 20

const coverage = { versions: 0, seen: new Set<unknown>() }

type State = {
  status: string
  delivery: { reasons: string[] }
  available_actions: { blocked_by: string[] }[]
}

function cover({ target, answer }: Answer): void {
  if (target !== 'campaign') return
  const { status, delivery, available_actions } = answer as State
  const blocked = available_actions.flatMap(({ blocked_by }) => blocked_by)
  for (const each of [status, ...delivery.reasons, ...blocked]) coverage.seen.add(each)
}

test('an answer as of a time is the answer given at that time, whatever came after', async () => {
  const property = fc.asyncProperty(story, async (steps) => {
    const cast = await castOf(await world.organization())
    const answers = await play(cast, steps)
    world.clock.advance(1)
    await readmit(cast)
    const again = ({ time, target, answer }: Answer) =>
      cast.owner
        .get(`${cast.paths[target]}?as_of=${time}`)
        .then((reply) => expect([time, ownPart(reply.json())]).toEqual([time, answer]))
    for (let at = 0; at < answers.length; at += readsAtOnce) {
      await Promise.all(answers.slice(at, at + readsAtOnce).map(again))
    }
    answers.forEach(cover)
    coverage.versions += await expectWholeHistory(cast)
  })
  await fc.assert(property, { numRuns: 20, seed: 4711, endOnFailure: true })
  // Stories with few changes would prove little.
  expect(coverage.versions).toBeGreaterThan(400)
  expect([...coverage.seen].sort()).toEqual(expect.arrayContaining(happened))
}, 120_000)

const happened = [
  ...['draft', 'scheduled', 'active', 'paused', 'completed', 'archived'],
  ...['before_start', 'after_end', 'outside_schedule'],
  ...['profile_not_active', 'proxy_failing', 'organization_suspended'],
  ...['pending_review', 'approval_required', 'approval_not_asked'],
]
