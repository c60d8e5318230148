/** Paths of the growth bench: lists with each of their orders, filters, sums and counts. */

const dayMs = 86_400_000

/** The date a number of days from today, in UTC. */
export const dayFrom = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

export type Known = { profileId: string; templateId: string; userId: string; campaignId: string }

/** A parameter, and values of it: what many, few and no campaigns have. */
type Values = Readonly<Record<string, string>>

const orders = ['created_at', 'updated_at', 'name', 'daily_budget', 'end_at', 'money_at_risk']

const deliveryReasons = [
  ...['not_launched', 'pending_review', 'paused', 'completed', 'archived', 'before_start'],
  ...['outside_schedule', 'after_end', 'profile_not_active', 'proxy_failing'],
  ...['organization_suspended', 'spend_cap_reached'],
]

const timeFrom = (days: number) => `${dayFrom(days)}T00:00:00Z`

const ofCampaigns = (known: Known): readonly Values[] => [
  { q: 'autumn' },
  { q: 'stroopwafel' },
  { q: 'nothing+of+the+kind' },
  { q: 'zqxv' },
  { q: 'autumn+winter' },
  { q: 'autunm' },
  { q: 'crm-4711' },
  { q: 'client+7' },
  { q: 'a' },
  { status: 'active' },
  { status: 'scheduled' },
  { status: 'completed' },
  { status: 'pending_review' },
  { status: 'draft,paused' },
  { status: 'archived' },
  { include_archived: 'true' },
  { status_reason: 'spend_cap_reached' },
  { status_reason: 'approval_required' },
  { objective: 'sales' },
  { objective: 'app_promotion' },
  { profile_id: known.profileId },
  { profile_id: 'none' },
  { client: 'Client+7' },
  { client: 'none' },
  { template_id: known.templateId },
  { template_id: 'none' },
  { currency: 'EUR' },
  { currency: 'JPY' },
  { currency: 'USD', daily_budget_min: '9990' },
  { currency: 'USD', daily_budget_max: '1' },
  { currency: 'USD', daily_budget_min: '100', daily_budget_max: '200' },
  { label: 'emea' },
  { label: 'rare' },
  { label: 'none' },
  { external_id: 'crm-4711' },
  { external_id: 'none' },
  { id: known.campaignId },
  { start_after: timeFrom(0) },
  { start_after: timeFrom(3_000) },
  { end_before: timeFrom(0) },
  { end_after: timeFrom(3_000) },
  { created_after: timeFrom(3_000) },
  { created_before: timeFrom(-3_000) },
  { updated_after: timeFrom(-1) },
  { pacing_status: 'on_track' },
  { pacing_status: 'critical' },
  { pacing_status: 'exhausted' },
  { delivery: 'eligible' },
  { delivery: 'not_eligible' },
  ...deliveryReasons.map((delivery_reason) => ({ delivery_reason })),
  { status: 'active', label: 'rare' },
  { status: 'draft', currency: 'EUR', objective: 'leads' },
  { status: 'active', profile_id: known.profileId, sort: '-daily_budget' },
  { status: 'paused', sort: 'name' },
  { status: 'pending_review', sort: '-money_at_risk' },
  { label: 'rare', sort: '-money_at_risk' },
  { q: 'stroopwafel', sort: 'end_at' },
  { q: 'watches', sort: 'name' },
  { q: 'watches', sort: '-daily_budget' },
]

const changed = 'campaign.*,change_set.*,profile.*,template.*,proxy.*,webhook_endpoint.*,member.*'

/** Reads of the console's first screen. */
const ofDeck = [
  '/campaigns?status=pending_review&limit=100&fields=id,name,available_actions',
  '/campaigns?status=active&delivery=not_eligible&limit=100&fields=id,name,delivery',
  `/campaigns?status=paused&status_reason=${deliveryReasons.join()}&limit=100&fields=id,name,status_reason`,
  '/change_sets?status=open&limit=100&fields=id,title,approval,available_actions',
  '/pacing?status=critical,over,under,exhausted,stale&limit=100',
  `/events?limit=10&type=${changed}`,
  `/audit_logs?limit=10&outcome=success&action=${changed}`,
]

/** Filters whose rows are counted. */
const counted = (known: Known): readonly Values[] => [
  {},
  { include_archived: 'true' },
  { status: 'active' },
  { status: 'draft,paused' },
  { status: 'pending_review' },
  { label: 'emea' },
  { label: 'rare' },
  { label: 'none' },
  { q: 'autumn' },
  { q: 'stroopwafel' },
  { q: 'nothing+of+the+kind' },
  { profile_id: known.profileId },
  { client: 'Client+7' },
  { currency: 'EUR' },
  { objective: 'sales' },
  { pacing_status: 'on_track' },
  { pacing_status: 'exhausted' },
  { delivery: 'eligible' },
  { delivery_reason: 'paused' },
  { status: 'active', label: 'rare' },
  { profile_id: known.profileId, status: 'active' },
  { daily_budget_min: '9990', currency: 'USD' },
  { created_after: timeFrom(-1) },
  { external_id: 'none' },
]

const ofPacing = (known: Known): readonly Values[] => [
  {},
  { sort: 'money_at_risk' },
  { status: 'on_track' },
  { status: 'critical,over' },
  { status: 'exhausted' },
  { campaign_status: 'scheduled' },
  { client: 'Client+7' },
  { client: 'none' },
  { profile_id: known.profileId },
  { label: 'emea' },
  { label: 'rare' },
  { label: 'none' },
  { currency: 'EUR' },
  { currency: 'JPY' },
  { include_total: 'true' },
  { status: 'on_track', include_total: 'true' },
  { status: 'exhausted', include_total: 'true' },
  { label: 'emea', include_total: 'true' },
  { client: 'Client+7', include_total: 'true' },
]

const groupings = [
  ...['campaign', 'profile', 'client', 'platform'],
  ...['label', 'currency', 'day', 'source'],
]

const ranges = (): Readonly<Record<string, Values>> => ({
  '8 days': { from: dayFrom(-7), to: dayFrom(1) },
  'this month': {},
  '30 days': { from: dayFrom(-30), to: dayFrom(0) },
})

const ofResults = (known: Known): readonly Values[] => [
  ...groupings.flatMap((group_by) =>
    Object.values(ranges()).map((range) => ({ group_by, ...range })),
  ),
  ...[
    { label: 'emea' },
    { label: 'none' },
    { client: 'Client+7' },
    { profile_id: known.profileId },
    { currency: 'EUR' },
    { campaign_id: known.campaignId },
  ].flatMap((filter): Values[] => [
    { group_by: 'campaign', ...ranges()['8 days'], ...filter },
    { group_by: 'day', ...ranges()['30 days'], ...filter },
  ]),
  { group_by: 'campaign', sort: 'group', ...ranges()['30 days'] },
  { group_by: 'campaign', include_days: 'true', ...ranges()['8 days'] },
  { group_by: 'campaign', include_total: 'true' },
]

const of = (path: string, all: readonly Values[]): string[] =>
  all.map((values) => {
    const query = Object.entries(values).map(([name, value]) => `${name}=${value}`)
    return query.length === 0 ? path : `${path}?${query.join('&')}`
  })

/** The paths below `/api/v1`. */
export const readsOf = (known: Known): string[] => [
  '/campaigns',
  '/campaigns?fields=id,name,status',
  ...of(
    '/campaigns',
    orders.flatMap((order) => [{ sort: order }, { sort: `-${order}` }]),
  ),
  ...of('/campaigns', ofCampaigns(known)),
  ...of(
    '/campaigns',
    counted(known).map((values) => ({ ...values, include_total: 'true' })),
  ),
  `/campaigns/${known.campaignId}`,
  `/campaigns/${known.campaignId}/results`,
  `/campaigns/${known.campaignId}/pacing`,
  `/campaigns/${known.campaignId}/history`,
  ...of('/pacing', ofPacing(known)),
  ...of('/results', ofResults(known)),
  '/results/sources',
  ...of('/profiles', [
    {},
    { limit: '100' },
    { q: 'profile+7' },
    { q: 'zqxv' },
    { client: 'Client+7' },
    { client: 'none' },
    { label: 'none' },
    { platform: 'meta' },
    { status: 'archived' },
    { sort: 'name' },
    { include_total: 'true' },
    { client: 'Client+7', include_total: 'true' },
  ]),
  `/profiles/${known.profileId}`,
  `/profiles/${known.profileId}/history`,
  '/templates',
  ...of('/change_sets', [
    {},
    { q: 'raise' },
    { q: 'zqxv' },
    { status: 'open' },
    { status: 'failed' },
    { created_by: known.userId },
    { campaign_id: known.campaignId },
    { waits_for: 'apply' },
    { sort: 'updated_at' },
    { include_total: 'true' },
    { status: 'failed', include_total: 'true' },
  ]),
  ...of('/events', [
    {},
    { type: 'campaign.created' },
    { type: 'campaign.deleted' },
    { sort: 'sequence' },
    { occurred_after: timeFrom(0) },
    { include_total: 'true' },
    { type: 'campaign.created', include_total: 'true' },
    { type: 'campaign.deleted', include_total: 'true' },
  ]),
  ...of('/audit_logs', [
    {},
    { action: 'campaign.*' },
    { action: 'campaign.deleted' },
    { actor_id: known.userId },
    { actor_id: 'none' },
    { resource_type: 'proxy' },
    { resource_id: known.campaignId },
    { outcome: 'denied' },
    { request_id: 'none' },
    { q: 'autumn' },
    { q: 'zqxv' },
    { occurred_after: timeFrom(0) },
    { include_total: 'true' },
    { action: 'campaign.*', include_total: 'true' },
    { action: 'campaign.deleted', include_total: 'true' },
    { actor_id: known.userId, include_total: 'true' },
  ]),
  '/limits',
  ...ofDeck,
]
