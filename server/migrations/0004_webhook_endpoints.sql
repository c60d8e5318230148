create table webhook_endpoints (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  url text collate "C" not null,
  events text[] not null,
  description text,
  metadata jsonb not null,
  status text not null default 'enabled',
  disabled_reason text,
  secret_sealed text not null,
  secret_hint text not null,
  -- After a rotation the secret before signs too, until then.
  previous_secret_sealed text,
  previous_secret_until timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  consecutive_failures integer not null default 0,
  -- Since when nothing but failures came back.
  failing_since timestamptz,
  -- Failures in a row hold its deliveries back until then.
  paused_until timestamptz,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by text,
  updated_by text,
  constraint webhook_endpoints_pkey primary key (organization_id, id),
  constraint webhook_endpoints_organization_fkey
    foreign key (organization_id) references organizations (id),
  constraint webhook_endpoints_status_known check (status in ('enabled', 'disabled'))
);

create index webhook_endpoints_by_creation
  on webhook_endpoints (organization_id, created_at desc, id desc);
