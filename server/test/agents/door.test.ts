import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namedForAgents } from '../../src/identity/agents/operations.ts'
import { pathWith } from '../support/cases/write-cases.ts'
import { campaignAfter, made } from '../support/cases/writes.ts'
import { giveMail, scheduleBody } from '../support/client-cases.ts'
import { agentOf } from '../support/clients/agents.ts'
import { endpoints, watch } from '../support/documented.ts'
import { type Client, openWorld, type Reply, unlimited, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = watch(await openWorld({ env: unlimited }))
})
afterAll(() => world.close())

const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))

type Listed = { name: string; method: 'GET' | 'POST'; path: string; isPublic: boolean }

/** Every operation of the committed document. */
const operations: Listed[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, { operationId: string; security?: unknown[] }>).map(
    ([method, { operationId, security }]) => ({
      name: operationId,
      method: method.toUpperCase() as Listed['method'],
      path: path.replace('/api/v1', ''),
      isPublic: security?.length === 0,
    }),
  ),
)

/** Written from the contract and not from the code: an operation is opened here too. */
const open = `
  getMe getApiKey getOrganization getLimits getSandbox
  listCampaigns getCampaign getCampaignHistory getCampaignSchedule getCampaignResults
  getCampaignPacing listPacing listClientPacing getClientPacing listResults listResultSources
  listDeployments getDeployment listProfiles getProfile getProfileHistory
  listClients getClient getClientHistory listClientBudgets
  listTemplates getTemplate getTemplateHistory
  listChangeSets getChangeSet listChangeSetOperations
  listReports getReport getReportData listReportSnapshots getReportSnapshot
  listEvents getEvent streamEvents listEventTypes getReferenceEvents
  getCampaignStates listDeploymentStates listObjectives listCurrencies listErrors
  proposeChangeSet proposeChangeSetFromCsv updateChangeSet cancelChangeSet refreshChangeSet
  applyChangeSet createReport updateReport patchReport pauseCampaign`
  .trim()
  .split(/\s+/)

const byChangeSet = `
  createCampaign updateCampaign patchCampaign deleteCampaign revertCampaign explainCampaignStatus
  bulkCampaigns duplicateCampaign launchCampaign submitCampaign withdrawCampaign unscheduleCampaign
  resumeCampaign completeCampaign archiveCampaign unarchiveCampaign createTemplate updateTemplate
  patchTemplate deleteTemplate revertTemplate saveCampaignAsTemplate`
  .trim()
  .split(/\s+/)

const missingIds = (path: string, keyId: string) =>
  path.replace(/\{\w+\}/g, (name) => {
    const endpoint = endpoints.find(({ path: own }) => own.replace(/:(\w+)/g, '{$1}') === path)
    const id = endpoint?.ids.find((each) => `{${each.name}}` === name)
    const prefix = id?.type.prefix
    if (prefix === 'key') return keyId
    return prefix ? `${prefix}_01m7yez275fk1a52pr5qevn8kn` : '2026-12'
  })

const outcome = (reply: Reply) => {
  const code = reply.statusCode < 400 ? '' : reply.json().code
  if (['insufficient_role', 'change_set_required', 'agent_stopped'].includes(code)) return code
  return reply.statusCode === 401 || reply.statusCode >= 500 ? reply.body : 'open'
}

const send = (client: Client, { method, path, name }: Listed, keyId: string) =>
  name === 'streamEvents'
    ? client.call({ method: 'HEAD' as 'GET', url: path })
    : client.call({ method, url: missingIds(path, keyId) })

function expected({ name, isPublic }: Listed): string {
  if (isPublic || open.includes(name)) return 'open'
  return byChangeSet.includes(name) ? 'change_set_required' : 'insufficient_role'
}

describe('an agent reaches what is listed, and nothing else', () => {
  test('in every operation of the document', async () => {
    const organization = await world.organization()
    // A key each, as some refusals stop it.
    const found: Record<string, string> = {}
    for (const operation of operations) {
      const { client, id } = await agentOf(world, organization)
      found[operation.name] = outcome(await send(client, operation, id))
      await organization.owner.delete(`/api_keys/${id}`)
    }
    const wanted = Object.fromEntries(operations.map((each) => [each.name, expected(each)]))
    expect(found).toEqual(wanted)
  })

  test('the lists name operations that exist', () => {
    const names = operations.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...open, ...byChangeSet]))
    expect(endpoints.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining([...namedForAgents]),
    )
  })
})

describe('what only the content of a request shows', () => {
  test('bulk work that pauses is done, other bulk work is not', async () => {
    const organization = await world.organization()
    const { client } = await agentOf(world, organization)
    const id = await campaignAfter(organization, ['launch'])
    const pause = { op: 'action', id, action: 'pause' }
    const bulk = (operations: object[]) =>
      client.post('/campaigns/bulk', { mode: 'partial', operations })
    const mixed = await bulk([pause, { op: 'update', id, body: { daily_budget: 900 } }])
    expect([mixed.statusCode, mixed.json().code]).toEqual([409, 'change_set_required'])
    expect((await organization.owner.get(`/campaigns/${id}`)).json().status).toBe('active')
    const paused = await bulk([pause])
    expect([paused.statusCode, paused.json().results[0].status]).toEqual([207, 200])
    expect((await organization.owner.get(`/campaigns/${id}`)).json().status).toBe('paused')
  })

  test('a report is read, but not as a file', async () => {
    const organization = await world.organization()
    const { client } = await agentOf(world, organization)
    const client_id = await made(organization.owner, '/clients', { name: 'Northwind' })
    const body = { name: 'Monthly', client_id, period: 'last_month' }
    const id = await made(client, '/reports', body)
    expect((await client.get(`/reports/${id}/data`)).statusCode).toBe(200)
    const file = await client.get(`/reports/${id}/data?format=csv`)
    expect([file.statusCode, file.json().code]).toEqual([403, 'insufficient_role'])
  })

  const expires_at = () => new Date(world.clock.now().getTime() + 86_400_000).toISOString()

  test.each([
    ['link', 'links', () => ({ expires_at: expires_at() })],
    ['schedule', 'schedules', () => scheduleBody],
  ] as const)('a report that has a %s is not written by agents', async (_, parts, bodyOf) => {
    const organization = await world.organization()
    giveMail(world.services)
    const { owner } = organization
    const { client } = await agentOf(world, organization)
    const client_id = await made(owner, '/clients', { name: 'Northwind' })
    const id = await made(owner, '/reports', { name: 'Monthly', client_id, period: 'last_month' })
    const texts = { notes: 'Written by the agent.' }
    expect((await client.patch(`/reports/${id}`, { texts })).statusCode).toBe(200)
    await made(owner, `/reports/${id}/${parts}`, bodyOf())
    const refused = await client.patch(`/reports/${id}`, { texts: { notes: 'https://x.example' } })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'insufficient_role'])
    expect((await owner.get(`/reports/${id}`)).json().texts.notes).toBe(texts.notes)
  })

  test('a key reads itself and no other', async () => {
    const organization = await world.organization()
    const { client, id } = await agentOf(world, organization, { apply: 'never' })
    const other = await agentOf(world, organization)
    const own = await client.get(`/api_keys/${id}`)
    expect(own.json()).toMatchObject({
      id,
      agent: { apply: 'never', envelope_24h: null },
      created_by: null,
      created_by_name: null,
    })
    expect((await client.get(`/api_keys/${other.id}`)).json().code).toBe('insufficient_role')
    expect((await client.get('/api_keys')).json().code).toBe('insufficient_role')
  })
})

test('a refused write is audited, a proposal demanded instead is not', async () => {
  const organization = await world.organization()
  const { owner } = organization
  const { client, id } = await agentOf(world, organization)
  const campaign = await campaignAfter(organization)
  await client.post('/proxies', { protocol: 'http', host: 'proxy.test', port: 8080 })
  await client.patch(`/campaigns/${campaign}`, { daily_budget: 40 })
  const denied = (await owner.get('/audit_logs?outcome=denied')).json().data
  expect(denied).toMatchObject([{ action: 'proxy.created', actor: { id } }])
})

test('the way around by a path with two names is closed as well', async () => {
  const organization = await world.organization()
  const { client } = await agentOf(world, organization)
  const id = await campaignAfter(organization)
  const url = pathWith('/campaigns/:id/approve', id)
  for (const headers of [{}, { 'x-override-reason': 'because' }]) {
    const reply = await client.call({ method: 'POST', url, headers })
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'insufficient_role'])
  }
})
