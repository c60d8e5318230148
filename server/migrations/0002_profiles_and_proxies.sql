create table proxies (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  protocol text not null,
  host text not null,
  port integer not null,
  username_sealed text,
  password_sealed text,
  country text,
  enabled boolean not null,
  health text not null default 'unchecked',
  status text not null generated always as (case when enabled then health else 'disabled' end) stored,
  last_check jsonb,
  labels text[] not null,
  metadata jsonb not null,
  notes text,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by text,
  updated_by text,
  constraint proxies_pkey primary key (organization_id, id),
  constraint proxies_organization_fkey foreign key (organization_id) references organizations (id),
  constraint proxies_protocol_known check (protocol in ('http', 'https', 'socks5')),
  constraint proxies_port_range check (port between 1 and 65535),
  constraint proxies_health_known check (health in ('unchecked', 'healthy', 'degraded', 'failing'))
);

create index proxies_by_creation on proxies (organization_id, created_at desc, id desc);
create index proxies_by_update on proxies (organization_id, updated_at desc, id desc);
create index proxies_by_name on proxies (organization_id, name, id);

create table profiles (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  platform text not null,
  account_ref text,
  currency text,
  time_zone text not null,
  country text,
  proxy_id text collate "C",
  status text not null,
  credential_ref text,
  labels text[] not null,
  metadata jsonb not null,
  notes text,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by text,
  updated_by text,
  constraint profiles_pkey primary key (organization_id, id),
  constraint profiles_organization_fkey foreign key (organization_id) references organizations (id),
  constraint profiles_account_ref_key unique (organization_id, platform, account_ref),
  constraint profiles_proxy_fkey foreign key (organization_id, proxy_id)
    references proxies (organization_id, id),
  constraint profiles_status_known check (status in ('active', 'paused', 'suspended', 'archived'))
);

create index profiles_by_creation on profiles (organization_id, created_at desc, id desc);
create index profiles_by_update on profiles (organization_id, updated_at desc, id desc);
create index profiles_by_name on profiles (organization_id, name, id);
create index profiles_by_proxy on profiles (organization_id, proxy_id)
  where proxy_id is not null;
