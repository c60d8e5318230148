-- What a campaign is to achieve: {metric, value, window_days}. Judged by its results.
alter table campaigns add column target jsonb;

-- The view names the columns that campaigns had when it was made.
create or replace view campaign_details as
  select campaigns.organization_id, campaigns.id, campaigns.name, campaigns.objective,
    campaigns.profile_id, campaigns.status, campaigns.status_reason,
    campaigns.status_before_archive, campaigns.daily_budget_minor, campaigns.lifetime_budget_minor,
    campaigns.currency, campaigns.currency_exponent, campaigns.start_at, campaigns.end_at,
    campaigns.time_zone, campaigns.external_id, campaigns.labels, campaigns.metadata,
    campaigns.notes, campaigns.template_id, campaigns.template_version, campaigns.locked_fields,
    campaigns.version, campaigns.created_at, campaigns.updated_at, campaigns.launched_at,
    campaigns.completed_at, campaigns.archived_at, campaigns.created_by, campaigns.updated_by,
    campaigns.schedule, campaigns.review, campaigns.approved, campaigns.daily_cost_minor,
    campaigns.overridden, campaigns.name_folded, campaigns.plain_name_folded,
    campaigns.status_change, campaigns.deployment, profiles.status as profile_status,
    profiles.currency as profile_currency, profiles.time_zone as profile_time_zone,
    profiles.daily_budget_cap_minor as profile_cap_minor,
    profiles.monthly_spend_cap_minor as profile_spend_cap_minor,
    profiles.spent_month as profile_spent_month, profiles.spent_minor as profile_spent_minor,
    profiles.connector_state, proxies.status as proxy_status, guardrails.rules as guardrails,
    campaign_pacing.capped_minor, clients.month_spending as client_spending, campaigns.target
  from campaigns
  join profiles on profiles.organization_id = campaigns.organization_id and profiles.id = campaigns.profile_id
  left join proxies on proxies.organization_id = profiles.organization_id and proxies.id = profiles.proxy_id
  left join clients on clients.organization_id = profiles.organization_id and clients.id = profiles.client_id
  left join guardrails on guardrails.organization_id = campaigns.organization_id
  left join campaign_pacing on campaign_pacing.organization_id = campaigns.organization_id and campaign_pacing.id = campaigns.id;
