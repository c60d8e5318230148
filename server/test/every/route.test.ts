import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methodsOf } from '../../src/http/endpoint.ts'
import { type Role, roles } from '../../src/identity/permissions.ts'
import { missingPath } from '../support/cases/unknown-ids.ts'
import { endpoints, watch } from '../support/documented.ts'
import {
  type Client,
  openWorld,
  type TestOrganization,
  unlimited,
  type World,
} from '../support/world.ts'

/** The permissions, written from the contract and not from the code. */
const everybody = 'owner admin editor viewer auditor'
const writers = 'owner admin editor'
const managers = 'owner admin'

/** The roles of a route that is not in the table: all read, and managers write. */
const byDefault = (method: string) => (method === 'GET' ? everybody : managers)

const table: Readonly<Record<string, string>> = {
  'POST /auth/login': 'anonymous',
  'POST /auth/login/verify': 'anonymous',
  'POST /auth/passkey/options': 'anonymous',
  'POST /auth/passkey/verify': 'anonymous',
  'POST /auth/login_code': 'anonymous',
  'POST /auth/login_code/claim': 'anonymous',
  'GET /auth/login_code': everybody,
  'POST /auth/login_code/confirm': everybody,
  'POST /auth/login_code/refuse': everybody,
  'GET /auth/sso': 'anonymous',
  'POST /auth/password/forgotten': 'anonymous',
  'POST /auth/password/reset': 'anonymous',
  'POST /invitations/accept': 'anonymous',
  'POST /auth/refresh': everybody,
  'DELETE /auth/logout': everybody,
  'GET /auth/me': everybody,
  'GET /auth/me/notifications': everybody,
  'PUT /auth/me/notifications': everybody,
  'GET /notifications': everybody,
  'GET /auth/sessions': everybody,
  'DELETE /auth/sessions/:id': everybody,
  'GET /auth/factors': everybody,
  'POST /auth/factors': everybody,
  'POST /auth/factors/:id/verify': everybody,
  'DELETE /auth/factors/:id': everybody,
  'POST /auth/password': everybody,
  'GET /organization': everybody,
  'PATCH /organization': 'owner',
  'GET /organization/guardrails': managers,
  'PUT /organization/guardrails': managers,
  'GET /organization/sso': 'owner',
  'PUT /organization/sso': 'owner',
  'DELETE /organization/sso': 'owner',
  'POST /organization/sso/test': 'owner',
  'POST /organization/sso/domains/:domain/verify': 'owner',
  'GET /sandbox': everybody,
  'POST /sandbox/clock': managers,
  'DELETE /sandbox': managers,
  'GET /limits': everybody,
  'GET /members': managers,
  'POST /members': managers,
  'GET /members/:id': managers,
  'PUT /members/:id': managers,
  'PATCH /members/:id': managers,
  'DELETE /members/:id': managers,
  'GET /invitations': managers,
  'GET /invitations/:id': managers,
  'GET /api_keys': managers,
  'POST /api_keys': managers,
  'GET /api_keys/:id': managers,
  'DELETE /api_keys/:id': managers,
  'GET /api_keys/:id/agent': managers,
  'POST /api_keys/:id/stop': managers,
  'POST /api_keys/:id/resume': managers,
  'GET /campaigns': everybody,
  'POST /campaigns': writers,
  'POST /campaigns/bulk': writers,
  'GET /campaigns/:id': everybody,
  'GET /campaigns/:id/schedule': everybody,
  'PUT /campaigns/:id': writers,
  'PUT /campaigns/:id/status_change': writers,
  'PATCH /campaigns/:id': writers,
  'DELETE /campaigns/:id': writers,
  'GET /campaigns/:id/history': everybody,
  'POST /campaigns/:id/revert': writers,
  'POST /campaigns/:id/launch': writers,
  'POST /campaigns/:id/submit': writers,
  'POST /campaigns/:id/approve': writers,
  'POST /campaigns/:id/reject': writers,
  'POST /campaigns/:id/withdraw': writers,
  'POST /campaigns/:id/unschedule': writers,
  'POST /campaigns/:id/pause': writers,
  'POST /campaigns/:id/resume': writers,
  'POST /campaigns/:id/complete': writers,
  'POST /campaigns/:id/archive': writers,
  'POST /campaigns/:id/unarchive': writers,
  'POST /campaigns/:id/duplicate': writers,
  'POST /campaigns/:id/save_as_template': writers,
  'PUT /clients/:id/budgets/:month': writers,
  'DELETE /clients/:id/budgets/:month': writers,
  'GET /reports': everybody,
  'POST /reports': writers,
  'GET /reports/:id': everybody,
  'GET /reports/:id/data': everybody,
  'GET /reports/:id/page': everybody,
  'POST /reports/:id/preview': everybody,
  'GET /reports/:id/snapshots/:snapshot_id/page': everybody,
  'GET /reports/:id/snapshots': everybody,
  'POST /reports/:id/snapshots': writers,
  'GET /reports/:id/snapshots/:snapshot_id': everybody,
  'DELETE /reports/:id/snapshots/:snapshot_id': writers,
  'GET /reports/:id/links': everybody,
  'POST /reports/:id/links': writers,
  'DELETE /reports/:id/links/:link_id': writers,
  'GET /reports/:id/schedules': everybody,
  'POST /reports/:id/schedules': writers,
  'GET /reports/:id/schedules/:schedule_id': everybody,
  'PATCH /reports/:id/schedules/:schedule_id': writers,
  'DELETE /reports/:id/schedules/:schedule_id': writers,
  'POST /reports/:id/schedules/:schedule_id/send': writers,
  'PUT /reports/:id': writers,
  'PATCH /reports/:id': writers,
  'DELETE /reports/:id': writers,
  'POST /notifications/:id/read': everybody,
  'POST /notifications/read': everybody,
  'POST /views': everybody,
  'PATCH /views/:id': everybody,
  'DELETE /views/:id': everybody,
  'POST /results': 'owner admin editor reporter connector',
  'DELETE /results/sources/:source': managers,
  'POST /change_sets': writers,
  'POST /change_sets/from_csv': writers,
  'PATCH /change_sets/:id': writers,
  'POST /change_sets/:id/approve': writers,
  'POST /change_sets/:id/reject': writers,
  'POST /change_sets/:id/cancel': writers,
  'POST /change_sets/:id/refresh': writers,
  'POST /change_sets/:id/apply': writers,
  'PUT /campaigns/:id/deployment': writers,
  'DELETE /campaigns/:id/deployment': writers,
  'POST /campaigns/:id/deployment/check': writers,
  'POST /campaigns/:id/deployment/retry': writers,
  'POST /campaigns/:id/deployment/overwrite': writers,
  'POST /campaigns/:id/deployment/adopt': writers,
  'POST /campaigns/:id/deployment/remove': managers,
  'POST /connector/leases': 'connector',
  'DELETE /connector/leases/:id': 'connector',
  'GET /connector/work': 'connector',
  'POST /connector/intents': 'connector',
  'POST /connector/reports': 'connector',
  'POST /connector/inventory': 'connector',
  'GET /reference/campaign_states': everybody,
  'GET /reference/deployment_states': everybody,
  'GET /reference/currencies': everybody,
  'GET /reference/errors': everybody,
  'GET /reference/events': everybody,
  'GET /reference/objectives': everybody,
  'GET /profiles': everybody,
  'POST /profiles': managers,
  'GET /profiles/:id': everybody,
  'PUT /profiles/:id': managers,
  'PATCH /profiles/:id': managers,
  'DELETE /profiles/:id': managers,
  'GET /profiles/:id/history': everybody,
  'POST /profiles/:id/revert': managers,
  'POST /profiles/:id/take_over': writers,
  'GET /proxies': 'owner admin editor viewer',
  'POST /proxies': managers,
  'GET /proxies/:id': 'owner admin editor viewer',
  'PUT /proxies/:id': managers,
  'PATCH /proxies/:id': managers,
  'DELETE /proxies/:id': managers,
  'POST /proxies/:id/check': managers,
  'POST /proxies/:id/credentials': managers,
  'GET /templates': everybody,
  'POST /templates': writers,
  'GET /templates/:id': everybody,
  'PUT /templates/:id': writers,
  'PATCH /templates/:id': writers,
  'DELETE /templates/:id': writers,
  'GET /templates/:id/history': everybody,
  'POST /templates/:id/revert': writers,
  'GET /notification_channels': managers,
  'POST /notification_channels': managers,
  'GET /notification_channels/:id': managers,
  'PATCH /notification_channels/:id': managers,
  'DELETE /notification_channels/:id': managers,
  'POST /notification_channels/:id/test': managers,
  'GET /webhook_endpoints': managers,
  'POST /webhook_endpoints': managers,
  'GET /webhook_endpoints/:id': managers,
  'PATCH /webhook_endpoints/:id': managers,
  'DELETE /webhook_endpoints/:id': managers,
  'POST /webhook_endpoints/:id/rotate_secret': managers,
  'POST /webhook_endpoints/:id/enable': managers,
  'POST /webhook_endpoints/:id/disable': managers,
  'POST /webhook_endpoints/:id/test': managers,
  'POST /webhook_endpoints/:id/recover': managers,
  'GET /webhook_endpoints/:id/deliveries': managers,
  'GET /webhook_deliveries': managers,
  'GET /webhook_endpoints/:id/deliveries/:delivery_id': managers,
  'POST /webhook_endpoints/:id/deliveries/:delivery_id/redeliver': managers,
  'GET /events': writers,
  'GET /events/stream': writers,
  'GET /events/:id': writers,
  'GET /event_types': everybody,
  'GET /audit_logs': 'owner admin auditor',
  'GET /audit_logs/verify': 'owner admin auditor',
  'GET /audit_logs/checkpoints': 'owner admin auditor',
  'GET /audit_logs/export': 'owner admin auditor',
}

const routes = endpoints.flatMap((endpoint) =>
  methodsOf(endpoint).map((method) => {
    const name = `${method} ${endpoint.path}`
    return {
      name,
      method,
      path: endpoint.path,
      allowed: (table[name] ?? byDefault(method)).split(' '),
    }
  }),
)
const guarded = routes.filter(({ allowed }) => !allowed.includes('anonymous'))
type Route = (typeof routes)[number]

let world: World
let organization: TestOrganization
const clients = new Map<Role, Client>()

beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
  organization = await world.organization()
  for (const role of roles) clients.set(role, await organization.as(role))
})
afterAll(() => world.close())

const urlOf = ({ path }: Route) => missingPath(path)

test('every row in the table of permissions is of a route', () => {
  expect(routes.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(table)))
})

const badCredentials = {
  '': 'missing_token',
  Bearer: 'invalid_token',
  'Basic b3duZXI6cGFzc3dvcmQ=': 'invalid_token',
  'Bearer ': 'invalid_token',
  'Bearer not.a.token': 'invalid_token',
  'Bearer fdk_none': 'invalid_token',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c3IifQ.': 'invalid_token',
}

describe('no request passes without a credential', () => {
  test.each(guarded)('$name', async (route) => {
    for (const [authorization, code] of Object.entries(badCredentials)) {
      const headers = { authorization }
      const reply = await world.anonymous.call({ method: route.method, url: urlOf(route), headers })
      expect([authorization, reply.statusCode, reply.json().code]).toEqual([
        authorization,
        401,
        code,
      ])
      expect(reply.headers).toMatchObject({
        'www-authenticate': 'Bearer',
        'cache-control': 'no-store',
        'content-type': expect.stringMatching(/^application\/problem\+json/),
      })
      expect(reply.headers).not.toHaveProperty('ratelimit')
    }
  })
})

/** Some of these end their own session. */
const clientFor = async (role: Role, { path }: Route): Promise<Client> =>
  path.startsWith('/auth/') ? organization.as(role) : (clients.get(role) as Client)

async function recordsOf(requestId: unknown): Promise<Record<string, unknown>[]> {
  const owner = clients.get('owner') as Client
  return (await owner.get(`/audit_logs?request_id=${requestId}`)).json().data
}

/** The roles that an organization allows to approve; these are the initial ones. */
const isByPolicy = ({ path }: Route) => /\/(?:approve|reject)$/.test(path)

describe('a role may do what the contract says, and nothing else', () => {
  test.each(guarded)('$name', async (route) => {
    for (const role of roles) {
      const client = await clientFor(role, route)
      const reply = await client.call({ method: route.method, url: urlOf(route) })
      if (route.allowed.includes(role)) {
        expect([role, reply.statusCode]).not.toEqual([role, expect.toSatisfy(isRefusal)])
        continue
      }
      expect([role, reply.statusCode]).toEqual([role, 403])
      expect(reply.json()).toMatchObject({
        code: 'insufficient_role',
        required_roles: isByPolicy(route) ? managers.split(' ') : route.allowed,
        retry: 'terminal',
      })
      await expectAudited(route, { id: reply.headers['x-request-id'], client })
    }
  })
})

const isRefusal = (status: number) => status === 401 || status === 403 || status >= 500

type Refused = { id: unknown; client: Client }

/**
 * A refused write is audited; a refused read is not, except for the export's. What connectors report is
 * written beside the audit log, and so it is refused.
 */
async function expectAudited({ name, method }: Route, { id, client }: Refused): Promise<void> {
  const isConnectors = name.includes(' /connector/')
  const isWrite = (method !== 'GET' && !isConnectors) || name === 'GET /audit_logs/export'
  expect(await recordsOf(id)).toMatchObject(
    isWrite
      ? [
          {
            outcome: 'denied',
            actor: { type: 'user', id: client.userId },
            request: { id, method, status: 403 },
            changes: [],
          },
        ]
      : [],
  )
}

test('denials keep the chain valid', async () => {
  const owner = clients.get('owner') as Client
  expect((await owner.get('/audit_logs/verify')).json().valid).toBe(true)
})
