-- What a cap compares: what was spent, where no source counts for less than nothing. One source's
-- credits are not another one's money.
alter table campaign_pacing add column capped_minor bigint;
update campaign_pacing set capped_minor = spent_minor;
-- Judged anew at once where there are credits.
update campaign_pacing p set due_at = '2000-01-01', revision = revision + 1
where exists (
  select from result_months m
  where m.organization_id = p.organization_id and m.campaign_id = p.id and m.adjustment_minor < 0);

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
    campaign_pacing.capped_minor
  from campaigns
  join profiles on profiles.organization_id = campaigns.organization_id
    and profiles.id = campaigns.profile_id
  left join proxies on proxies.organization_id = profiles.organization_id
    and proxies.id = profiles.proxy_id
  left join guardrails on guardrails.organization_id = campaigns.organization_id
  left join campaign_pacing on campaign_pacing.organization_id = campaigns.organization_id
    and campaign_pacing.id = campaigns.id;

-- Likewise of profiles: what this month has, by campaign and source.
update profiles f set spent_minor = coalesce((
  select sum(greatest(0, m.spend_minor + m.adjustment_minor)) from campaigns c
  join result_months m on m.organization_id = c.organization_id and m.campaign_id = c.id
  where c.organization_id = f.organization_id and c.profile_id = f.id and c.currency = f.currency
    and m.month = f.spent_month), 0)
where f.spent_month is not null;
