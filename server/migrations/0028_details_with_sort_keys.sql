-- The view names the columns that campaigns had when it was made: lists of it sort by name too.
drop view campaign_details;
create view campaign_details as
  select
    campaigns.*,
    profiles.status as profile_status,
    profiles.currency as profile_currency,
    profiles.daily_budget_cap_minor as profile_cap_minor,
    proxies.status as proxy_status,
    guardrails.rules as guardrails
  from campaigns
  join profiles on profiles.organization_id = campaigns.organization_id
    and profiles.id = campaigns.profile_id
  left join proxies on proxies.organization_id = profiles.organization_id
    and proxies.id = profiles.proxy_id
  left join guardrails on guardrails.organization_id = campaigns.organization_id;

-- The zones of running schedules, which a list filtered by delivery asks for first.
create index campaigns_zones on campaigns (organization_id, time_zone)
  where schedule is not null and status in ('scheduled', 'active');
