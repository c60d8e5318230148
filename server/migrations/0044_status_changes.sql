-- Who changed the status of a campaign last, when and why, on its row: for campaigns that are there,
-- from their audit records, as far back as these are kept.

alter table campaigns add column status_change jsonb;

update campaigns c
set status_change = jsonb_build_object(
  'action', case
    when found.action = 'campaign.activated' and found.actor ->> 'type' = 'system' then 'start'
    else found.cause end,
  'at', to_char(found.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'by', jsonb_build_object('type', found.actor -> 'type', 'id', found.actor -> 'id',
    'name', found.actor -> 'name'),
  'reason', coalesce(found.reason,
    case when found.actor ->> 'type' = 'system' then c.status_reason end),
  'change_set_id', found.change_set_id)
from (
  select distinct on (a.organization_id, a.resource ->> 'id')
    a.organization_id, a.resource ->> 'id' as id, a.action, a.occurred_at, a.actor, a.reason,
    a.change_set_id, known.cause
  from audit_logs a
  join (values
    ('campaign.activated', 'launch'), ('campaign.scheduled', 'launch'),
    ('campaign.submitted', 'submit'), ('campaign.approved', 'approve'),
    ('campaign.rejected', 'reject'), ('campaign.withdrawn', 'withdraw'),
    ('campaign.unscheduled', 'unschedule'), ('campaign.paused', 'pause'),
    ('campaign.resumed', 'resume'), ('campaign.completed', 'complete'),
    ('campaign.archived', 'archive'), ('campaign.unarchived', 'unarchive')
  ) as known (action, cause) on known.action = a.action
  where a.outcome = 'success'
  order by a.organization_id, a.resource ->> 'id', a.sequence desc
) as found
where c.organization_id = found.organization_id and c.id = found.id;

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
    campaign_pacing.capped_minor
  from campaigns
  join profiles on profiles.organization_id = campaigns.organization_id
    and profiles.id = campaigns.profile_id
  left join proxies on proxies.organization_id = profiles.organization_id
    and proxies.id = profiles.proxy_id
  left join guardrails on guardrails.organization_id = campaigns.organization_id
  left join campaign_pacing on campaign_pacing.organization_id = campaigns.organization_id
    and campaign_pacing.id = campaigns.id;
