-- How each launched campaign's spending goes beside its plan. Derived: judged anew by each report of
-- its results, and by the clock.
create table campaign_pacing (
  organization_id text collate "C" not null,
  -- The campaign's.
  id text collate "C" not null,
  -- As the campaign has them, for lists.
  name text collate "C" not null,
  profile_id text collate "C" not null,
  campaign_status text not null,
  currency text not null,
  currency_exponent smallint not null,
  -- Null until it is judged for the first time.
  status text,
  -- In units of 0.0001 of the currency, so that currencies sort by their amounts.
  money_at_risk bigint,
  -- Of the period, net of adjustments.
  spent_minor bigint,
  figures jsonb,
  -- What it was judged by, and the version of the campaign and the day that the plan is for.
  plan jsonb,
  plan_key text,
  -- When the last report came, by the clock of the organization.
  reported_at timestamptz,
  -- When it is to be judged anew, by the clock of the organization.
  due_at timestamptz not null,
  revision integer not null,
  constraint campaign_pacing_pkey primary key (organization_id, id),
  constraint campaign_pacing_campaign_fkey foreign key (organization_id, id)
    references campaigns (organization_id, id) on delete cascade,
  constraint campaign_pacing_campaign_status_known check (campaign_status in ('draft',
    'pending_review', 'scheduled', 'active', 'paused', 'completed', 'archived')),
  constraint campaign_pacing_status_known check (status in ('not_running', 'no_data', 'exhausted',
    'stale', 'low_confidence', 'critical', 'over', 'under', 'on_track'))
);

create index campaign_pacing_by_risk on campaign_pacing
  (organization_id, money_at_risk desc nulls last, id desc)
  where campaign_status in ('scheduled', 'active', 'paused');
create index campaign_pacing_due on campaign_pacing (due_at)
  where campaign_status in ('scheduled', 'active', 'paused');
-- In sandboxes, whose clocks are ahead.
create index campaign_pacing_due_in on campaign_pacing (organization_id, due_at)
  where campaign_status in ('scheduled', 'active', 'paused');

-- Campaigns that were launched before are judged at once.
insert into campaign_pacing (organization_id, id, name, profile_id, campaign_status, currency,
  currency_exponent, due_at, revision)
select organization_id, id, name, profile_id, status, currency, currency_exponent, launched_at, 1
from campaigns where launched_at is not null;

alter table profiles
  add column monthly_spend_cap_minor bigint,
  -- What was reported for its campaigns in that month, where it has a cap.
  add column spent_month date,
  add column spent_minor bigint,
  add constraint profiles_spend_cap_has_currency
    check (monthly_spend_cap_minor is null or currency is not null),
  add constraint profiles_spend_cap_positive check (monthly_spend_cap_minor > 0);

update guardrails set rules = rules || '{"stop_at_percent": null,
  "pacing": {"under_percent": 90, "over_percent": 110, "critical_percent": 120}}';

-- The view names the columns that campaigns had when it was made.
drop view campaign_details;
create view campaign_details as
  select
    campaigns.*,
    profiles.status as profile_status,
    profiles.currency as profile_currency,
    profiles.time_zone as profile_time_zone,
    profiles.daily_budget_cap_minor as profile_cap_minor,
    profiles.monthly_spend_cap_minor as profile_spend_cap_minor,
    profiles.spent_month as profile_spent_month,
    profiles.spent_minor as profile_spent_minor,
    proxies.status as proxy_status,
    guardrails.rules as guardrails,
    campaign_pacing.spent_minor
  from campaigns
  join profiles on profiles.organization_id = campaigns.organization_id
    and profiles.id = campaigns.profile_id
  left join proxies on proxies.organization_id = profiles.organization_id
    and proxies.id = profiles.proxy_id
  left join guardrails on guardrails.organization_id = campaigns.organization_id
  left join campaign_pacing on campaign_pacing.organization_id = campaigns.organization_id
    and campaign_pacing.id = campaigns.id;
