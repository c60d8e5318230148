-- Campaigns that were taken over from their network had no pacing until they changed.
insert into campaign_pacing (organization_id, id, name, profile_id, campaign_status, currency,
  currency_exponent, due_at, revision)
select organization_id, id, name, profile_id, status, currency, currency_exponent, now(), 1
from campaigns
where launched_at is not null and status in ('scheduled', 'active', 'paused')
on conflict (organization_id, id) do nothing;
