-- What a network should run of a campaign, and what its connector has seen there.
create table deployments (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  profile_id text collate "C" not null,
  platform text not null,
  mode text not null check (mode in ('create', 'link')),
  network_object_id text,
  network_url text,
  -- Null: all that the connector can hold.
  managed_fields jsonb,
  drift_policy text not null check (drift_policy in ('report', 'overwrite')),
  settings jsonb not null,
  state text not null check (
    state in ('pending', 'in_sync', 'drifted', 'failed', 'blocked', 'removing', 'removed')
  ),
  state_since timestamptz not null,
  generation bigint not null,
  applied_generation bigint not null,
  account_ref text,
  desired jsonb not null,
  observed jsonb,
  drift jsonb not null,
  coverage jsonb not null,
  network_delivery jsonb,
  error jsonb,
  attempts integer not null,
  retry_at timestamptz,
  -- A draft that nothing was sent of.
  is_withheld boolean not null,
  requested text check (requested in ('check', 'retry', 'overwrite', 'remove')),
  intent jsonb,
  last_applied_at timestamptz,
  last_seen_at timestamptz,
  -- When `desired` may be another by the clock.
  due_at timestamptz,
  -- Since when a connector has something to do; null: nothing.
  work_at timestamptz,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by text,
  updated_by text,
  primary key (organization_id, id),
  constraint deployments_campaign foreign key (organization_id, campaign_id)
    references campaigns (organization_id, id) on delete cascade,
  constraint deployments_profile foreign key (organization_id, profile_id)
    references profiles (organization_id, id)
);
create unique index deployments_campaign_key on deployments (organization_id, campaign_id);
create unique index deployments_object_key
  on deployments (organization_id, profile_id, network_object_id)
  where network_object_id is not null;
create index deployments_by_since on deployments (organization_id, state_since desc, id desc);
create index deployments_by_state on deployments (organization_id, state, state_since desc, id desc);
create index deployments_with_work on deployments (organization_id, profile_id, work_at)
  where work_at is not null;
create index deployments_due on deployments (due_at) where due_at is not null;

-- The deployment as it shows on its campaign: state, network_object_id, drift_fields, not_delivering.
alter table campaigns add column deployment jsonb;
create index campaigns_by_deployment on campaigns (organization_id, (deployment ->> 'state'))
  where deployment is not null;

-- Whether a connector holds the account; null where none ever has.
alter table profiles add column connector_state text
  check (connector_state in ('connected', 'stale'));
create index profiles_connected on profiles (organization_id, id) where connector_state = 'connected';

-- The views name the columns that their tables had when they were made.
drop view profile_details;
create view profile_details as
  select profiles.*, clients.name as client, clients.nfkc_name_folded as client_folded
  from profiles
  left join clients on clients.organization_id = profiles.organization_id
    and clients.id = profiles.client_id;

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
    profiles.connector_state,
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

-- A connector's hold on the accounts of some profiles.
create table connector_leases (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  api_key_id text collate "C" not null,
  instance text not null,
  adapter text not null,
  adapter_version text not null,
  platform text not null,
  api_version text not null,
  api_sunset date,
  fence bigint not null,
  -- Real time, also in sandboxes.
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index connector_leases_key on connector_leases (organization_id, api_key_id, instance);

-- The account of a profile as its connector knows it; the id is the profile's.
create table connections (
  organization_id text collate "C" not null references organizations (id),
  id text collate "C" not null,
  lease_id text collate "C",
  fence bigint not null,
  connected_since timestamptz,
  account jsonb,
  credential jsonb,
  error jsonb,
  -- The warnings given of the credential's end, in days before it.
  warned_days integer,
  -- Real time.
  last_seen_at timestamptz,
  -- The inventory that is being told: its number, and of the last complete one.
  pass bigint not null default 0,
  primary key (organization_id, id),
  constraint connections_profile foreign key (organization_id, id)
    references profiles (organization_id, id) on delete cascade
);
create index connections_by_lease on connections (organization_id, lease_id) where lease_id is not null;

-- What an account holds in its network; the id is the network's.
create table network_campaigns (
  organization_id text collate "C" not null references organizations (id),
  profile_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  name_folded text collate "C" not null,
  plain_name_folded text,
  status text not null check (status in ('active', 'paused', 'scheduled', 'ended')),
  facts jsonb not null,
  pass bigint not null,
  gone boolean not null,
  last_seen_at timestamptz not null,
  primary key (organization_id, profile_id, id),
  constraint network_campaigns_profile foreign key (organization_id, profile_id)
    references profiles (organization_id, id) on delete cascade
);

alter table api_keys drop constraint api_keys_role_known;
alter table api_keys add constraint api_keys_role_known
  check (role in ('owner', 'admin', 'editor', 'viewer', 'auditor', 'reporter', 'connector'));
