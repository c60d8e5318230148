create table templates (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  description text,
  defaults jsonb not null,
  locked_fields text[] not null,
  labels text[] not null,
  metadata jsonb not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by text,
  updated_by text,
  constraint templates_pkey primary key (organization_id, id),
  constraint templates_organization_fkey foreign key (organization_id) references organizations (id),
  constraint templates_name_key unique (organization_id, name)
);

create index templates_by_creation on templates (organization_id, created_at desc, id desc);
create index templates_by_update on templates (organization_id, updated_at desc, id desc);

-- template_id has no foreign key: a campaign keeps the id of a template that is gone.
create table campaigns (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  objective text not null,
  profile_id text collate "C" not null,
  status text not null,
  status_reason text,
  status_before_archive text,
  daily_budget_minor bigint,
  lifetime_budget_minor bigint,
  currency text not null,
  currency_exponent smallint not null,
  start_at timestamptz,
  end_at timestamptz,
  time_zone text not null,
  external_id text,
  labels text[] not null,
  metadata jsonb not null,
  notes text,
  template_id text collate "C",
  template_version integer,
  -- What the template had locked when the campaign was made from it.
  locked_fields text[] not null default '{}',
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  launched_at timestamptz,
  completed_at timestamptz,
  archived_at timestamptz,
  created_by text,
  updated_by text,
  constraint campaigns_pkey primary key (organization_id, id),
  constraint campaigns_profile_fkey foreign key (organization_id, profile_id)
    references profiles (organization_id, id),
  constraint campaigns_status_known check (status in
    ('draft', 'pending_review', 'scheduled', 'active', 'paused', 'completed', 'archived')),
  constraint campaigns_archived_once check ((status = 'archived') = (archived_at is not null)),
  constraint campaigns_has_budget
    check (daily_budget_minor is not null or lifetime_budget_minor is not null),
  constraint campaigns_daily_budget_positive check (daily_budget_minor > 0),
  constraint campaigns_lifetime_at_least_daily check (lifetime_budget_minor >= daily_budget_minor),
  constraint campaigns_lifetime_budget_positive check (lifetime_budget_minor > 0),
  constraint campaigns_end_after_start check (end_at > start_at)
);

create unique index campaigns_external_id_key on campaigns (organization_id, external_id)
  where external_id is not null;
create index campaigns_by_creation on campaigns (organization_id, created_at desc, id desc);
create index campaigns_by_update on campaigns (organization_id, updated_at desc, id desc);
create index campaigns_by_name on campaigns (organization_id, name, id);
create index campaigns_by_profile on campaigns (organization_id, profile_id);

-- What a campaign's delivery and its launch depend on, beside the campaign itself.
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
