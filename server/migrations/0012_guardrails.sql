-- What an organization forbids itself. No row: nothing is capped, and nothing asks for an approval.
create table guardrails (
  organization_id text collate "C" not null,
  -- As `Guardrails` in kernel/guardrails.ts has it, amounts in minor units: always read as a whole.
  rules jsonb not null,
  version integer not null,
  updated_at timestamptz not null,
  updated_by text,
  constraint guardrails_pkey primary key (organization_id),
  constraint guardrails_organization_fkey
    foreign key (organization_id) references organizations (id)
);

alter table profiles
  add column daily_budget_cap_minor bigint,
  add constraint profiles_cap_has_currency
    check (daily_budget_cap_minor is null or currency is not null),
  add constraint profiles_cap_positive check (daily_budget_cap_minor > 0);

alter table campaigns
  -- The last submission, what came of it, and the status that it goes back to.
  add column review jsonb,
  -- What was approved last: what the campaign may run with, and no more.
  add column approved jsonb,
  -- The daily budget that an owner or admin has let past the organization's cap.
  add column overridden_minor bigint,
  add constraint campaigns_review_pending check
    ((status = 'pending_review') = (review is not null and review ->> 'state' = 'pending'));

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
