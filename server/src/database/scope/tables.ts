import type { Tables } from '../tables/types.ts'
import {
  auditLogs,
  byCampaign,
  byProfile,
  byWholeClient,
  campaigns,
  changeSetOperations,
  changeSets,
  clients,
  events,
  networkCampaigns,
  ofReport,
  own,
  profiles,
  reports,
  type Shadow,
} from './shadows.ts'
import { campaignCounts, resultDays, resultLabels, sourceTotals } from './sums.ts'

/** How a table is read within a scope: as it is, not at all, or by a query in its place. */
type Rule = 'open' | 'hidden' | Shadow

const sortKeys = ['name_folded', 'plain_name_folded']

const plansOfClients: { client_budgets: Rule; client_pacing: Rule; client_pacing_due: Rule } = {
  client_budgets: byWholeClient('client_budgets'),
  client_pacing: byWholeClient('client_pacing'),
  client_pacing_due: 'hidden',
}

/**
 * Every table, so that a new one cannot be forgotten. In this order each query sees those before it as
 * the scope shows them, and its own table as it is. `open` is for what no operation shows as it is to
 * holders of a scope: counts and rules by which the service judges their writes.
 */
export const rules: { readonly [Table in keyof Tables]: Rule } = {
  campaigns: campaigns('campaigns'),
  campaign_details: campaigns('campaign_details'),
  profiles: profiles('profiles', sortKeys),
  profile_details: profiles('profile_details', [...sortKeys, 'client_folded']),
  clients,
  ...plansOfClients,
  deployments: byCampaign('deployments'),
  connections: byProfile('connections', 'id'),
  network_campaigns: networkCampaigns,
  campaign_pacing: byCampaign('campaign_pacing', 'id'),
  campaign_performance: byCampaign('campaign_performance', 'id'),
  campaign_metrics: byCampaign('campaign_metrics', 'id'),
  reports,
  report_logos: ofReport('report_logos', 'id'),
  report_snapshots: ofReport('report_snapshots'),
  report_links: ofReport('report_links'),
  results: byCampaign('results'),
  result_months: byCampaign('result_months'),
  result_sources: byCampaign('result_sources'),
  campaign_counts: campaignCounts,
  result_days: resultDays,
  result_labels: resultLabels,
  result_source_totals: sourceTotals,
  change_sets: changeSets,
  change_set_operations: changeSetOperations,
  views: own('views', 't.created_by = $person'),
  events,
  audit_logs: auditLogs,
  users: own('users', 't.id = $person'),
  sessions: own('sessions', 't.user_id = $person'),
  factors: own('factors', 't.user_id = $person'),
  api_keys: own('api_keys', '(t.id = $person or t.maker_id = $person)'),
  connector_leases: own('connector_leases', 't.api_key_id = $person'),

  guardrails: 'open',
  profile_facts: 'open',
  organization_heads: 'open',
  organizations: 'open',
  templates: 'open',

  // Indexes of searches in everything: what a scope shows is looked through without them.
  audited_names: 'hidden',
  audited_name_states: 'hidden',
  campaign_search: 'hidden',
  campaign_search_states: 'hidden',
  campaign_words: 'hidden',
  audit_anchors: 'hidden',
  audit_checkpoints: 'hidden',
  audit_verifications: 'hidden',
  idempotency_keys: 'hidden',
  installation: 'hidden',
  leases: 'hidden',
  login_networks: 'hidden',
  mails: 'hidden',
  invitations: 'hidden',
  account_links: 'hidden',
  login_challenges: 'hidden',
  scim_users: 'hidden',
  scim_groups: 'hidden',
  scim_group_members: 'hidden',
  master_keys: 'hidden',
  processes: 'hidden',
  proxies: 'hidden',
  rate_limits: 'hidden',
  proved_domains: 'hidden',
  signing_keys: 'hidden',
  sso_answers: 'hidden',
  sso_domains: 'hidden',
  sso_people: 'hidden',
  sso_settings: 'hidden',
  task_successes: 'hidden',
  user_emails: 'hidden',
  webhook_attempts: 'hidden',
  webhook_deliveries: 'hidden',
  webhook_endpoints: 'hidden',
  write_probes: 'hidden',
}
