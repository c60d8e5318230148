/** The requests of the soak: of forty, twenty read, nine write and eleven are refused. */
import type { Tenant } from '../../tools/seed.ts'

export type Asked = {
  method?: string
  path: string
  body?: object | string
  headers?: Record<string, string>
}

type Ask = (tenant: Tenant, turn: number) => Asked

const post = (path: string, body: object | string): Asked => ({ method: 'POST', path, body })

const campaignIn = ({ campaignIds }: Tenant, turn: number) =>
  `/campaigns/${campaignIds[(turn * 7) % campaignIds.length]}`

const campaignOf = ({ profileId }: Tenant, turn: number) => ({
  name: `Spring Sale ${turn}`,
  objective: 'sales',
  profile_id: profileId,
  daily_budget: 33.51,
  currency: 'USD',
  labels: [`wave-${turn % 500}`],
})

const reads: Ask[] = [
  (tenant, turn) => ({ path: campaignIn(tenant, turn) }),
  (tenant, turn) => ({ path: `${campaignIn(tenant, turn)}/history` }),
  (tenant, turn) => ({ path: `${campaignIn(tenant, turn)}/schedule` }),
  (_, turn) => ({ path: `/campaigns?limit=${1 + (turn % 100)}` }),
  (_, turn) => ({ path: `/campaigns?status=draft,active&label=wave-${turn % 500}` }),
  (_, turn) => ({ path: `/campaigns?q=gn+${turn}&sort=-name&include_total=true` }),
  () => ({ path: '/events?limit=50' }),
  () => ({ path: '/audit_logs?limit=25' }),
  ({ profileId }) => ({ path: `/profiles/${profileId}` }),
  () => ({ path: '/members' }),
  () => ({ path: '/limits' }),
  () => ({ path: '/webhook_endpoints' }),
  () => ({ path: '/reference/errors' }),
]

const writes: Ask[] = [
  (tenant, turn) => post('/campaigns', campaignOf(tenant, turn)),
  (tenant, turn) => ({
    ...post('/campaigns', campaignOf(tenant, turn)),
    headers: { 'idempotency-key': `soak-${turn - (turn % 2)}` },
  }),
  (tenant, turn) => post('/campaigns?validate_only=true', campaignOf(tenant, turn)),
  (tenant, turn) => ({
    method: 'PATCH',
    path: campaignIn(tenant, turn),
    body: { notes: `Seen in turn ${turn}` },
  }),
  (tenant, turn) => post(`${campaignIn(tenant, turn)}/${turn % 2 ? 'pause' : 'resume'}`, {}),
  (tenant, turn) => post(`${campaignIn(tenant, turn)}/duplicate`, { name: `Copy ${turn}` }),
  (_, turn) => post('/templates', { name: `Template ${turn}`, defaults: { objective: 'sales' } }),
]

const rowsOfReport = 25
const largeEvery = 19

/** Today's results of some campaigns, higher each time. */
export function reportIn(turn: number, { campaignIds }: Tenant): Asked {
  const from = (turn * 11) % campaignIds.length
  const rows = campaignIds.slice(from, from + rowsOfReport).map((campaign_id) => ({
    ...{ campaign_id, date: new Date().toISOString().slice(0, 10), spend: turn / 100 },
    ...{ impressions: turn * 100, clicks: turn, conversions: 12.5, conversion_value: 840 },
  }))
  return post('/results', { source: 'soak', reported_at: new Date().toISOString(), rows })
}

/** Budgets of ten campaigns; of all that the organization had at first every nineteenth time. */
export function proposalIn(turn: number, { campaignIds }: Tenant): Asked {
  const count = turn % largeEvery === 0 ? campaignIds.length : 10
  const operations = campaignIds
    .slice(0, count)
    .map((id) => ({ op: 'update', id, body: { daily_budget: 10 + turn / 100 } }))
  return post('/change_sets', { title: `Budgets ${turn}`, operations })
}

/** A bulk request is large, so it is rare. */
const bulk: Ask = (tenant, turn) => {
  const body = campaignOf(tenant, turn)
  const good = Array.from({ length: 19 }, () => ({ op: 'create', body }))
  const bad = { op: 'create', body: { ...body, currency: 'XXX' } }
  return post('/campaigns/bulk', { mode: 'partial', operations: [...good, bad] })
}

const refused: Ask[] = [
  (_, turn) => ({ path: `/campaigns/cmp_${turn}` }),
  (_, turn) => ({ path: `/no/such/path/${turn}` }),
  (tenant, turn) => ({ method: 'DELETE', path: `${campaignIn(tenant, turn)}/history` }),
  (_, turn) => post('/campaigns', `{"name":"cut ${turn}`),
  (_, turn) => post('/campaigns', { [`field_${turn}`]: turn, name: 1, daily_budget: '1e9' }),
  (_, turn) => post('/campaigns', { name: 'x'.repeat(100_000), turn }),
  (_, turn) => ({ path: '/campaigns', headers: { authorization: `Bearer unknown-${turn}` } }),
  (_, turn) => ({ path: `/campaigns?cursor=damaged-${turn}` }),
  (_, turn) => ({ path: `/campaigns?unknown_${turn}=1` }),
  (tenant, turn) => ({
    method: 'PATCH',
    path: campaignIn(tenant, turn),
    body: { notes: 'late' },
    headers: { 'if-match': `"${turn + 1_000}"` },
  }),
  (_, turn) => ({
    ...post('/campaigns', `<x>${turn}</x>`),
    headers: { 'content-type': 'text/xml' },
  }),
  (_, turn) => post('/webhook_endpoints', { url: `http://10.0.0.${turn % 250}/`, events: ['*'] }),
]

/** Twenty reads, nine writes including one bulk request, eleven refusals. */
export function askedIn(turn: number, tenant: Tenant): Asked {
  const round = Math.floor(turn / 40)
  const place = turn % 40
  if (place === 0) return round % 10 === 0 ? bulk(tenant, turn) : askOf(writes, round)(tenant, turn)
  if (place < 9) return askOf(writes, round * 8 + place)(tenant, turn)
  if (place < 20) return askOf(refused, round * 11 + place)(tenant, turn)
  return askOf(reads, round * 20 + place)(tenant, turn)
}

function askOf(all: readonly Ask[], at: number): Ask {
  const ask = all[at % all.length]
  if (!ask) throw new Error('there is nothing to ask')
  return ask
}
