import { features } from '../../../src/features/index.ts'
import { methodsOf } from '../../../src/http/endpoint.ts'
import { type Route, routesOf } from '../../../src/http/request/path-ids.ts'
import { clientWrites, reportReads, reportWrites } from '../client-cases.ts'
import { password, type TestOrganization } from '../world.ts'
import { changeSetOf, changeSetWrites } from './change-set-cases.ts'
import { deploymentReads, deploymentWrites } from './deployment-cases.ts'
import { agentReads, agentWrites } from './people/agent-cases.ts'
import { peopleReads, peopleWrites } from './people/people-cases.ts'
import { campaignAfter, campaignBody, made, profileOf } from './writes.ts'

/** One writing request that succeeds: every/change and every/route send it. */
export type Write = {
  /** The action in the audit log. */
  action: string
  /** Whether it also makes an event. */
  event: boolean
  /** Actions of other objects that it records before. */
  after?: readonly string[]
  /** Prepares the request; answers the id of its path, or all of its ids with `/` between. */
  arrange?: (organization: TestOrganization) => Promise<string>
  body?: (id: string, organization: TestOrganization) => object | string
  headers?: Readonly<Record<string, string>>
  /** Sent without a credential. */
  anonymous?: boolean
}

/** The path with its ids, which `/` separates. */
export function pathWith(path: string, ids: string): string {
  const rest = ids.split('/')
  return path.replaceAll(/:\w+/g, (name) => rest.shift() ?? name)
}

/** The name of a source that has reported a campaign. */
const reportedBy = async (organization: TestOrganization): Promise<string> => {
  const campaign_id = await campaign()(organization)
  const rows = [{ campaign_id, date: ahead(-2).slice(0, 10), spend: 12.5 }]
  const source = 'google_ads'
  await organization.owner.post('/results', { source, reported_at: ahead(-1), rows })
  return source
}

const ahead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const campaign =
  (...actions: string[]) =>
  (organization: TestOrganization) =>
    campaignAfter(organization, actions)

/** A draft that needs an approval. */
async function asked(organization: TestOrganization): Promise<string> {
  await organization.owner.put('/organization/guardrails', { approval: { mode: 'always' } })
  return campaignAfter(organization)
}

/** A draft that an editor has submitted. */
async function submitted(organization: TestOrganization): Promise<string> {
  const id = await asked(organization)
  await (await organization.as('editor')).post(`/campaigns/${id}/submit`)
  return id
}

const scheduled = (organization: TestOrganization) =>
  campaignAfter(organization, ['launch'], { start_at: ahead(3) })

const proxyBody = { protocol: 'http', host: 'proxy.example.com', port: 8080 }
const secrets = { username: 'u', password: 'hidden-away' }
const proxy = ({ owner }: TestOrganization) => made(owner, '/proxies', { ...proxyBody, ...secrets })
/** The address is closed: its check fails at once, on any network. */
const closedProxy = async (organization: TestOrganization) => {
  const id = await proxy(organization)
  const sql = `update proxies set host = '127.0.0.1' where organization_id = $1 and id = $2`
  const { database } = organization.ctx.services
  await database.transaction(async (tx) => tx.send({ sql, parameters: [organization.id, id] }))
  return id
}
const template = ({ owner }: TestOrganization) => made(owner, '/templates', { name: 'Preset' })
const hook = { url: 'https://example.com/hooks', events: ['campaign.*'] }
const endpoint = ({ owner }: TestOrganization) => made(owner, '/webhook_endpoints', hook)
const disabled = async (organization: TestOrganization) => {
  const id = await endpoint(organization)
  await organization.owner.post(`/webhook_endpoints/${id}/disable`)
  return id
}
const delivery = async (organization: TestOrganization) => {
  const id = await endpoint(organization)
  const reply = await organization.owner.post(`/webhook_endpoints/${id}/test`)
  return `${id}/${reply.json().id}`
}
const member = async (organization: TestOrganization) => (await organization.as('viewer')).userId
const apiKeyBody = { name: 'Reporting', role: 'viewer' }
const apiKey = ({ owner }: TestOrganization) => made(owner, '/api_keys', apiKeyBody)
const ownSession = async ({ owner }: TestOrganization): Promise<string> =>
  (await owner.get('/auth/me')).json().session_id

/** As created by the operator, without later changes. */
const sandbox = async ({ id, ctx }: TestOrganization) => {
  const sql = 'update organizations set sandbox = true where id = $1'
  await ctx.services.database.transaction(async (tx) => tx.send({ sql, parameters: [id] }))
  return id
}

const renamed = () => ({ name: 'Renamed' })

/** The same object in its second version. */
const changed =
  (plural: string, make: (organization: TestOrganization) => Promise<string>) =>
  async (organization: TestOrganization) => {
    const id = await make(organization)
    await organization.owner.patch(`/${plural}/${id}`, renamed())
    return id
  }
const first = () => ({ to_version: 1 })

/** In the audit log only, without an event. */
const quietly = (action: string, more: Partial<Write> = {}): Write =>
  Object.assign({ action, event: false }, more)
const loudly = (action: string, more: Partial<Write> = {}): Write =>
  Object.assign({ action, event: true }, more)

const auth: Record<string, Write> = {
  'POST /auth/login': quietly('auth.login_succeeded', {
    anonymous: true,
    body: (_, { owner }) => ({ email: owner.email, password }),
  }),
  'POST /auth/refresh': quietly('auth.refreshed'),
  'DELETE /auth/logout': quietly('auth.logged_out'),
  'DELETE /auth/sessions/:id': quietly('auth.logged_out', { arrange: ownSession }),
  'POST /auth/password': quietly('auth.password_changed', {
    body: () => ({ current_password: password, new_password: 'quite another pass phrase' }),
  }),
}

const organization: Record<string, Write> = {
  'POST /sandbox/clock': loudly('organization.clock_moved', {
    arrange: sandbox,
    body: () => ({ advance_seconds: 60 }),
  }),
  'DELETE /sandbox': loudly('organization.reset', { arrange: sandbox }),
  'POST /members': loudly('member.created', {
    body: (_, { id }) => ({ email: `new-${id}@example.com`, name: 'Grace', role: 'viewer' }),
  }),
  'PUT /members/:id': loudly('member.updated', { arrange: member, body: renamed }),
  'PATCH /members/:id': loudly('member.updated', {
    arrange: member,
    body: () => ({ disabled: true }),
  }),
  'DELETE /members/:id': loudly('member.deleted', { arrange: member }),
  'POST /api_keys': loudly('api_key.created', { body: () => apiKeyBody }),
  'DELETE /api_keys/:id': loudly('api_key.revoked', { arrange: apiKey }),
  ...agentWrites,
}

const campaigns: Record<string, Write> = {
  'POST /campaigns': loudly('campaign.created', { arrange: profileOf, body: campaignBody }),
  'POST /campaigns/bulk': loudly('campaign.updated', {
    arrange: campaign(),
    body: (id) => ({ mode: 'partial', operations: [{ op: 'update', id, body: renamed() }] }),
  }),
  'PUT /campaigns/:id': loudly('campaign.updated', { arrange: campaign(), body: renamed }),
  'PATCH /campaigns/:id': loudly('campaign.updated', {
    arrange: campaign('launch'),
    body: () => ({ daily_budget: '19.99' }),
  }),
  'DELETE /campaigns/:id': loudly('campaign.deleted', { arrange: campaign('archive') }),
  'POST /campaigns/:id/revert': loudly('campaign.updated', {
    arrange: changed('campaigns', campaign()),
    body: first,
  }),
  'PUT /campaigns/:id/status_change': loudly('campaign.updated', {
    arrange: campaign('launch'),
    body: () => ({ reason: 'The sale begins' }),
  }),
  'POST /campaigns/:id/launch': loudly('campaign.activated', { arrange: campaign() }),
  'POST /campaigns/:id/submit': loudly('campaign.submitted', { arrange: asked }),
  'POST /campaigns/:id/approve': loudly('campaign.approved', {
    arrange: submitted,
    headers: { 'if-match': '"2"' },
  }),
  'POST /campaigns/:id/reject': loudly('campaign.rejected', {
    arrange: submitted,
    body: () => ({ reason: 'Not this month' }),
  }),
  'POST /campaigns/:id/withdraw': loudly('campaign.withdrawn', { arrange: submitted }),
  'POST /campaigns/:id/unschedule': loudly('campaign.unscheduled', { arrange: scheduled }),
  'POST /campaigns/:id/pause': loudly('campaign.paused', { arrange: campaign('launch') }),
  'POST /campaigns/:id/resume': loudly('campaign.resumed', {
    arrange: campaign('launch', 'pause'),
  }),
  'POST /campaigns/:id/complete': loudly('campaign.completed', { arrange: campaign('launch') }),
  'POST /campaigns/:id/archive': loudly('campaign.archived', { arrange: campaign() }),
  'POST /campaigns/:id/unarchive': loudly('campaign.unarchived', {
    arrange: campaign('archive'),
  }),
  'POST /campaigns/:id/duplicate': loudly('campaign.created', {
    arrange: campaign(),
    body: () => ({ name: 'Copy' }),
  }),
  'POST /campaigns/:id/save_as_template': loudly('template.created', {
    arrange: campaign(),
    body: () => ({ name: 'From a campaign' }),
  }),
}

const others: Record<string, Write> = {
  ...clientWrites,
  ...deploymentWrites,
  ...peopleWrites,
  ...reportWrites,
  'POST /profiles/:id/revert': loudly('profile.updated', {
    arrange: changed('profiles', profileOf),
    body: first,
  }),
  'POST /proxies': loudly('proxy.created', { body: () => ({ ...proxyBody, ...secrets }) }),
  'PUT /proxies/:id': loudly('proxy.updated', { arrange: proxy, body: renamed }),
  'PATCH /proxies/:id': loudly('proxy.updated', {
    arrange: proxy,
    body: () => ({ password: 'another one' }),
  }),
  'DELETE /proxies/:id': loudly('proxy.deleted', { arrange: proxy }),
  'POST /proxies/:id/check': loudly('proxy.health_changed', { arrange: closedProxy }),
  'POST /proxies/:id/credentials': quietly('proxy.credentials_revealed', { arrange: proxy }),
  'POST /templates/:id/revert': loudly('template.updated', {
    arrange: changed('templates', template),
    body: first,
  }),
  'POST /webhook_endpoints/:id/enable': loudly('webhook_endpoint.enabled', { arrange: disabled }),
  'POST /webhook_endpoints/:id/test': quietly('webhook_endpoint.test', { arrange: endpoint }),
  'POST /webhook_endpoints/:id/recover': quietly('webhook_endpoint.recovered', {
    arrange: endpoint,
    body: () => ({ since: ahead(-1) }),
  }),
  'POST /webhook_endpoints/:id/deliveries/:delivery_id/redeliver': quietly(
    'webhook_delivery.redelivered',
    { arrange: delivery },
  ),
  'POST /results': loudly('results.reported', {
    arrange: campaign(),
    body: (campaign_id) => ({
      source: 'google_ads',
      reported_at: ahead(-1),
      rows: [{ campaign_id, date: ahead(-2).slice(0, 10), spend: 12.5 }],
    }),
  }),
  'DELETE /results/sources/:source': loudly('results.source_deleted', { arrange: reportedBy }),
  'GET /audit_logs/export': quietly('audit_log.exported'),
}

const routes = routesOf(features)

/** A new object of the collection, as in the example of its creation. */
const exampleIn = (collection: string) => (organization: TestOrganization) => {
  const creation = routes.find(({ method, path }) => method === 'POST' && path === collection)
  return made(organization.owner, collection, creation?.example ?? {})
}

/** The endpoint's own example, which needs no more than the object. */
function exampleOf({ path, action = '', example }: Route): Write {
  const [, collection] = /^(\/\w+)\/:id\b/.exec(path) ?? []
  return loudly(action, {
    ...(collection && { arrange: exampleIn(collection) }),
    ...(example && { body: () => example }),
  })
}

const examples = routes
  .filter(({ action }) => action !== undefined)
  .flatMap((route) =>
    methodsOf(route).map((method) => [`${method} ${route.path}`, exampleOf(route)] as const),
  )

const arranged = { ...auth, ...organization, ...campaigns, ...changeSetWrites, ...others }

/** One for each writing endpoint, by method and path. */
export const writes: Readonly<Record<string, Write>> = {
  ...Object.fromEntries(examples),
  ...arranged,
}

/** Requests that make an object of each collection that needs no other object. */
export const plainCreations = routes.flatMap(({ method, path, example: body }) => {
  const isPlain = method === 'POST' && /^\/\w+$/.test(path) && !(`POST ${path}` in arranged)
  return isPlain && body ? [{ path, body }] : []
})

/** The object of a reading endpoint, when no write creates it. */
export const reads: Readonly<Record<string, Pick<Write, 'arrange' | 'body'>>> = {
  'GET /sandbox': { arrange: sandbox },
  ...deploymentReads,
  ...peopleReads,
  ...agentReads,
  ...reportReads,
  'GET /change_sets/:id': { arrange: changeSetOf },
  'GET /change_sets/:id/operations': { arrange: changeSetOf },
  'GET /events/:id': {
    arrange: async ({ owner }) => (await owner.get('/events?limit=1')).json().data[0].id,
  },
}
