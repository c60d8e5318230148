-- Null is "always": there is one way to say it.
alter table campaigns
  add column schedule jsonb,
  add constraint campaigns_schedule_not_empty
    check (jsonb_typeof(schedule) = 'array' and schedule <> '[]');

-- The view names the columns that campaigns had when it was made.
drop view campaign_details;
create view campaign_details as
  select
    campaigns.*,
    profiles.status as profile_status,
    profiles.currency as profile_currency,
    proxies.status as proxy_status
  from campaigns
  join profiles on profiles.organization_id = campaigns.organization_id
    and profiles.id = campaigns.profile_id
  left join proxies on proxies.organization_id = profiles.organization_id
    and proxies.id = profiles.proxy_id;
