alter table campaigns
  -- What a day may cost, as it was judged last while the campaign was scheduled or active: what
  -- counts against its profile's cap.
  add column daily_cost_minor bigint,
  -- The guardrails that an owner or admin has let it pass, each with the amount, by rule.
  add column overridden jsonb;

-- An override was about a daily budget only. Without a daily budget all may go in a day, until the
-- campaign is judged anew.
update campaigns set
  daily_cost_minor = case
    when status in ('scheduled', 'active') then coalesce(daily_budget_minor, lifetime_budget_minor)
  end,
  overridden = case
    when overridden_minor is not null
      then jsonb_build_object('max_daily_budget', overridden_minor)
  end
where status in ('scheduled', 'active') or overridden_minor is not null;

alter table campaigns
  add constraint campaigns_running_has_cost
    check (status not in ('scheduled', 'active') or daily_cost_minor is not null);

update guardrails
set rules = rules || '{"max_lifetime_budget": {}, "unlisted_currencies": "allow"}';

-- The view names the columns that campaigns had when it was made.
drop view campaign_details;
alter table campaigns drop column overridden_minor;
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
