import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { assessDueClients } from '../../src/features/campaigns/client-pacing/due.ts'
import { assessDue } from '../../src/features/campaigns/pacing/due.ts'
import { moveDue } from '../../src/features/campaigns/timed-moves.ts'
import { runDue } from '../../src/features/change-sets/timed/timed.ts'
import { measureWork, statementOf } from '../../src/observability/due-work.ts'
import { campaignAfter, made } from '../support/cases/writes.ts'
import { backgroundOf } from '../support/machines/background.ts'
import { type OwnWorld, openOwnWorld } from '../support/own-world.ts'

const token = 'scrape-me'
let world: OwnWorld

// A database of its own: due work of other tests would show.
beforeAll(async () => {
  world = await openOwnWorld({ env: { FLIGHTDECK_METRICS_TOKEN: token } })
})
afterAll(() => world.close())

const signal = () => AbortSignal.timeout(10_000)

async function stateOf(work: string) {
  const {
    database,
    declared: { dueWorks: works },
    clock,
  } = world.services
  const all = await measureWork(database.reader, { works, clock })
  const [found] = all.filter((each) => each.work === work)
  if (!found) throw new Error(`${work} is not measured`)
  return found
}

const lateness = async (work: string) => (await stateOf(work)).lateSeconds

/** The time a number of seconds from now. */
const inSeconds = (seconds: number) =>
  new Date(world.clock.now().getTime() + seconds * 1000).toISOString()

async function workAll(): Promise<void> {
  await moveDue(world.services, signal())
  await runDue(world.services, signal())
  await assessDue(world.services, signal())
  await assessDueClients(world.services, signal())
}

describe('work that is due', () => {
  test('is late from its time until it is done: starts and ends of campaigns, and pacing', async () => {
    const organization = await world.organization()
    const times = { start_at: inSeconds(100), end_at: inSeconds(86_500) }
    await campaignAfter(organization, ['launch'], times)
    await workAll()
    for (const work of ['campaign_starts', 'campaign_ends', 'pacing'])
      expect(await lateness(work)).toBe(0)
    world.clock.advance(190_000)
    expect(await lateness('campaign_starts')).toBe(90)
    expect(await lateness('campaign_ends')).toBe(0)
    await workAll()
    expect(await lateness('campaign_starts')).toBe(0)
    world.clock.advance(86_400_000)
    expect(await lateness('campaign_ends')).toBe(90)
    expect(await lateness('pacing')).toBeGreaterThan(0)
    await workAll()
    expect(await lateness('campaign_ends')).toBe(0)
    expect(await lateness('pacing')).toBe(0)
  })

  test('has change sets at a time', async () => {
    const organization = await world.organization()
    const id = await campaignAfter(organization)
    const operations = [{ op: 'update', id, body: { name: 'Renamed' } }]
    const body = { title: 'Rename', operations, apply_at: inSeconds(60) }
    await made(organization.owner, '/change_sets', body)
    expect(await lateness('change_sets')).toBe(0)
    world.clock.advance(100_000)
    expect(await lateness('change_sets')).toBe(40)
    await workAll()
    expect(await lateness('change_sets')).toBe(0)
  })

  test('of a sandbox is not late because its clock was moved, but when real time has come', async () => {
    const organization = await world.organization({ sandbox: true })
    const id = await campaignAfter(organization, ['launch'], { start_at: inSeconds(100) })
    const operations = [{ op: 'update', id, body: { name: 'Renamed' } }]
    const apply_at = inSeconds(100)
    await made(organization.owner, '/change_sets', { title: 'Rename', operations, apply_at })
    await organization.owner.post('/sandbox/clock', { advance_seconds: 30 * 86_400 })
    for (const work of ['campaign_starts', 'change_sets', 'pacing'])
      expect(await lateness(work)).toBe(0)
    world.clock.advance(160_000)
    expect(await lateness('campaign_starts')).toBe(60)
    expect(await lateness('change_sets')).toBe(60)
    await workAll()
    for (const work of ['campaign_starts', 'change_sets', 'pacing'])
      expect(await lateness(work)).toBe(0)
  })

  test('has the jobs that must not be left: an hour after they last succeeded', async () => {
    for (const [work, task] of [
      ['partitions', 'partitions.make'],
      ['checkpoints', 'audit-logs.checkpoint'],
    ] as const) {
      await world.database.query(
        `insert into task_successes (task, succeeded_at) values ($1, $2::timestamptz)`,
        [task, inSeconds(-3_600 - 25)],
      )
      expect(await lateness(work)).toBeCloseTo(25, 1)
      await world.database.query('delete from task_successes where task = $1', [task])
    }
  })

  test('is found by indexes, in one statement', async () => {
    const {
      declared: { dueWorks },
    } = world.services
    await world.database.query('set enable_seqscan = off')
    const sql = statementOf(dueWorks)
      .replace('$1', `'${inSeconds(0)}'`)
      .replace('$2', `'{${dueWorks.map(({ task }) => task).join()}}'`)
    const plan = JSON.stringify(await world.database.query(`explain ${sql}`))
    await world.database.query('reset enable_seqscan')
    for (const index of ['campaigns_starting', 'campaigns_ending', 'campaign_pacing_due'])
      expect(plan).toMatch(new RegExp(`Index Only Scan using ${index} `))
    for (const index of ['applying', 'expiring', 'reverting'])
      expect(plan).toMatch(new RegExp(`Index Only Scan using change_sets_${index} `))
  })
})

test('a task that polls records its success, and none when it fails', async () => {
  const succeededAt = async (work: string) => (await stateOf(work)).succeededAt
  const before = await succeededAt('pacing')
  await world.database.query('alter table campaign_pacing rename to lost')
  const { services, database } = world
  const background = backgroundOf({ services, address: database.address })
  const begun = Date.now() / 1000 - 1
  const recorded = async () => {
    const rows = await database.query<{ task: string }>(
      'select task from task_successes where succeeded_at > to_timestamp($1) order by task',
      [begun],
    )
    return rows.map(({ task }) => task)
  }
  const others = [
    'audit-logs.search',
    'campaigns.performance',
    'campaigns.search',
    'campaigns.timed-moves',
    'change-sets.timed',
    'clients.pacing',
    'connections.expiring',
    'deployments.due',
    'mails.send',
    'notifications.gather',
    'notifications.send',
    'reports.send',
  ]
  await vi.waitFor(async () => expect(await recorded()).toEqual(others), 20_000)
  await background.stop()
  await database.query('alter table lost rename to campaign_pacing')
  expect(await succeededAt('campaign_starts')).toBeGreaterThan(begun)
  expect(await succeededAt('campaign_ends')).toBe(await succeededAt('campaign_starts'))
  expect(await succeededAt('pacing')).toBe(before)
})

const works = ['campaign_ends', 'campaign_starts', 'change_sets', 'checkpoints', 'pacing']

test.each(['all', 'api', 'worker'] as const)('role %s has it in its metrics', async (role) => {
  const app = await buildApp({ services: world.services, logger: pino({ level: 'silent' }), role })
  const headers = { authorization: `Bearer ${token}` }
  const { body } = await app.inject({ url: '/metrics', headers })
  for (const name of ['due_oldest_seconds', 'work_last_success_timestamp_seconds']) {
    const series = [...body.matchAll(new RegExp(`^flightdeck_${name}\\{work="(\\w+)"\\} `, 'gm'))]
    expect(series.map(([, work]) => work)).toEqual(expect.arrayContaining([...works, 'partitions']))
  }
})
