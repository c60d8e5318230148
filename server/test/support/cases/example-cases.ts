import { makeCheckpoints } from '../../../src/features/audit-logs/checkpointing.ts'
import type { Method } from '../../../src/http/endpoint.ts'
import type { Route } from '../../../src/http/request/path-ids.ts'
import { schedule } from '../client-cases.ts'
import { endpoints } from '../documented.ts'
import { backgroundOf } from '../machines/background.ts'
import { openReceiver } from '../machines/receiver.ts'
import type { OwnWorld } from '../own-world.ts'
import { shownNowMs } from '../stable.ts'
import type { Client, TestOrganization } from '../world.ts'
import { connectorExamples } from './connector-cases.ts'
import { peopleExamples } from './people/people-cases.ts'
import { reads, type Write, writes } from './write-cases.ts'
import { campaignAfter, made } from './writes.ts'

/** How an example of an operation comes about. */
export type ExampleCase = Pick<Write, 'arrange' | 'body' | 'headers' | 'anonymous'> & {
  query?: string
  queryFor?: (organization: TestOrganization) => string
  /** The caller, if it is not the owner. */
  as?: (organization: TestOrganization) => Promise<Client>
}

type Arrange = (organization: TestOrganization) => Promise<string>

/** Makes the object of a creation's own example, and the objects that it refers to. */
const exampleOf =
  (collection: string): Arrange =>
  async (organization) => {
    const creation = endpoints.find(
      ({ method, path }) => method === 'POST' && path === `/${collection}`,
    )
    const body = await exampleBody(organization, creation ?? {}, '')
    return made(organization.owner, `/${collection}`, body ?? {})
  }

const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

/** The documented body, with ids of objects that exist, and times as far ahead as it shows them. */
export async function exampleBody(
  organization: TestOrganization,
  { example }: { example?: unknown },
  id: string,
): Promise<object | undefined> {
  if (example === undefined) return undefined
  const text = JSON.stringify(example)
  const profile = /prf_\w+/.test(text) ? await exampleOf('profiles')(organization) : ''
  const now = organization.ctx.services.clock.now().getTime()
  const later = (shown: string) => new Date(now + Date.parse(shown) - shownNowMs).toISOString()
  return JSON.parse(
    text
      .replaceAll(/prf_\w+/g, profile)
      .replaceAll(/cmp_\w+/g, id)
      .replaceAll(time, later),
  )
}

const changedThrice =
  (collection: string, arrange: Arrange, changes: readonly object[]): Arrange =>
  async (organization) => {
    const id = await arrange(organization)
    for (const change of changes) await organization.owner.patch(`/${collection}/${id}`, change)
    return id
  }

const launched: Arrange = (organization) => campaignAfter(organization, ['launch'])
const notes = ['First week', 'Second week', 'Third week'].map((text) => ({ notes: text }))
const names = ['Summer', 'Autumn', 'Winter'].map((name) => ({ name }))

const raised = (id: string) => ({
  title: 'Weekend sale',
  operations: [{ op: 'update', id, body: { daily_budget: 100 } }],
})

const proposed: Arrange = async (organization) =>
  made(organization.owner, '/change_sets', raised(await launched(organization)))

/** An endpoint whose receiver has answered one test. */
const delivered =
  (world: OwnWorld): Arrange =>
  async ({ owner }) => {
    const receiver = await openReceiver()
    const background = backgroundOf({ services: world.services, address: world.database.address })
    try {
      const endpoint = await made(owner, '/webhook_endpoints', { url: receiver.url })
      const { id } = (await owner.post(`/webhook_endpoints/${endpoint}/test`)).json()
      await receiver.arrived(1)
      return `${endpoint}/${id}`
    } finally {
      await background.stop()
      await receiver.close()
    }
  }

const signed =
  (world: OwnWorld): Arrange =>
  async () => {
    await makeCheckpoints(world.services, AbortSignal.timeout(10_000))
    return ''
  }

const renamed: Arrange = async ({ owner }) => {
  await owner.patch('/organization', { name: 'Acme Media' })
  return ''
}

/** A launched campaign with the results of the documented report. */
const reported: Arrange = async (organization) => {
  const id = await launched(organization)
  const route = endpoints.find(({ operation }) => operation === 'reportResults')
  await organization.owner.post('/results', await exampleBody(organization, route ?? {}, id))
  return id
}
const reportedBySource: Arrange = async (organization) => {
  await reported(organization)
  return 'google_ads'
}

/** A report of the same month. */
const reportOf: Arrange = async (organization) => {
  const period = { from: '2025-11-01', to: '2025-12-01' }
  const sections = ['headline']
  return made(organization.owner, '/reports', { name: 'November', period, sections })
}

const frozenWithIds: Arrange = async (organization) => {
  const id = await reportOf(organization)
  return `${id}/${await made(organization.owner, `/reports/${id}/snapshots`, {})}`
}
const frozen: Arrange = async (organization) =>
  (await frozenWithIds(organization)).split('/')[0] ?? ''
const linked: Arrange = async (organization) => {
  const id = await reportOf(organization)
  const now = organization.ctx.services.clock.now().getTime()
  const expires_at = new Date(now + tenDaysMs).toISOString()
  await made(organization.owner, `/reports/${id}/links`, { expires_at })
  return id
}

const inReport = 'from=2025-11-01&to=2025-12-01'

const tenDaysMs = 240 * 3_600_000

/** A launched campaign whose days do not depend on the day of the test. */
const flown: Arrange = (organization) => {
  const now = organization.ctx.services.clock.now().getTime()
  const end_at = new Date(now + tenDaysMs).toISOString()
  const budgets = { daily_budget: null, lifetime_budget: 1_000 }
  return campaignAfter(organization, ['launch'], { ...budgets, end_at })
}

/** A client with a budget in a month. */
const budgeted: Arrange = async (organization) => {
  const id = await exampleOf('clients')(organization)
  await organization.owner.put(`/clients/${id}/budgets/2026-12`, { amounts: { USD: 12_000 } })
  return id
}

const special = (world: OwnWorld): Readonly<Record<string, ExampleCase>> => ({
  ...connectorExamples(world),
  ...peopleExamples,
  'GET /audit_logs/checkpoints': { arrange: signed(world) },
  'GET /webhook_endpoints/:id/deliveries': { arrange: delivered(world) },
  'GET /webhook_deliveries': { arrange: delivered(world) },
  'GET /webhook_endpoints/:id/deliveries/:delivery_id': { arrange: delivered(world) },
  'GET /audit_logs': { arrange: renamed },
  'GET /audit_logs/export': { arrange: renamed, query: 'action=organization.updated' },
  'GET /events': { arrange: renamed },
  'GET /members': {},
  'GET /members/:id': { arrange: async ({ owner }) => owner.userId },
  'GET /campaigns/:id/schedule': { arrange: launched },
  'GET /campaigns/:id/results': { arrange: reported, query: inReport },
  'GET /campaigns/:id/pacing': { arrange: flown },
  'GET /clients/:id/pacing': { arrange: budgeted, query: 'month=2026-12' },
  'GET /clients/:id/budgets': { arrange: budgeted, query: 'from=2026-11&to=2026-12' },
  'GET /pacing/clients': { arrange: budgeted, query: 'month=2026-12' },

  'GET /reports/:id/data': { arrange: reportOf },
  'POST /reports/:id/preview': { arrange: reportOf },
  'GET /reports/:id/snapshots': { arrange: frozen },
  'GET /reports/:id/snapshots/:snapshot_id': { arrange: frozenWithIds },
  'GET /reports/:id/links': { arrange: linked },
  'GET /reports/:id/schedules': {
    arrange: async (organization) => (await schedule(organization)).split('/')[0] ?? '',
  },
  'GET /results': { arrange: reported, query: inReport },
  'GET /results/export': { arrange: reported, query: inReport },
  'GET /results/sources': { arrange: reported },
  'DELETE /results/sources/:source': { arrange: reportedBySource },
  'GET /change_sets': { arrange: proposed },
  'GET /change_sets/:id': { arrange: proposed },
  'GET /change_sets/:id/operations': { arrange: proposed },
  'POST /change_sets': { arrange: launched, body: raised },
  'POST /campaigns/bulk': { arrange: changedThrice('campaigns', launched, notes.slice(0, 1)) },
  'POST /campaigns/:id/revert': { arrange: changedThrice('campaigns', launched, notes) },
  'POST /profiles/:id/revert': {
    arrange: changedThrice('profiles', exampleOf('profiles'), names),
  },
  'POST /clients/:id/revert': {
    arrange: changedThrice('clients', exampleOf('clients'), names),
  },
  'POST /templates/:id/revert': {
    arrange: changedThrice('templates', exampleOf('templates'), names),
  },
})

/** The object in the path, as a write of it or the example of its creation makes it. */
function arrangementOf({ path }: Route): Arrange | undefined {
  const [, collection] = /^\/(\w+)/.exec(path) ?? []
  if (collection === 'campaigns') return launched
  const creation = endpoints.find(
    (each) => each.method === 'POST' && each.path === `/${collection}`,
  )
  return creation?.example ? exampleOf(String(collection)) : undefined
}

/** The documented body of these names a password, a lease, or a time that is long ago in the test. */
const ownBodies =
  /\/(?:login|login_code|claim|confirm|refuse|password|accept|recover|verify|options|from_csv|intents|inventory|reports)$/

/** Everything that an example of the operation needs. */
export function caseOf(world: OwnWorld, route: Route, method: Method): ExampleCase {
  const name = `${method} ${route.path}`
  const known = { ...writes[name], ...reads[name], ...special(world)[name] }
  const isSpecial = name in special(world)
  const arrange =
    known.arrange ?? (method === 'GET' && !isSpecial ? arrangementOf(route) : undefined)
  const { body, ...others } = { ...known, ...(arrange && { arrange }) }
  // The documented body otherwise, so that request and reply show the same.
  return ownBodies.test(name) && body ? { ...others, body } : others
}
