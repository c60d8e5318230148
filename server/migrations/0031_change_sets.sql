-- Proposed changes, tried out together and applied once.
create table change_sets (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  title text collate "C" not null,
  description text,
  source_kind text not null,
  source_reference text,
  mode text not null,
  status text not null,
  operation_count integer not null,
  -- What the last trial found.
  summary jsonb not null,
  spend_delta jsonb not null,
  approval_required boolean not null,
  approval_reasons text[] not null,
  applicable boolean not null,
  -- By the organization's clock, as all times here but ended_at.
  tried_at timestamptz not null,
  expires_in_hours integer not null,
  expires_at timestamptz not null,
  apply_at timestamptz,
  revert_at timestamptz,
  -- With whose rights the clock applies and reverts it.
  timed_by text,
  approved_by text,
  approved_at timestamptz,
  rejected_by text,
  rejected_reason text,
  applied_by text,
  applied_at timestamptz,
  reverted_at timestamptz,
  -- Why the clock could not apply it.
  failure jsonb,
  -- When it came to its end, in real time: it is kept 90 days from then.
  ended_at timestamptz,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by text,
  updated_by text,
  constraint change_sets_pkey primary key (organization_id, id),
  constraint change_sets_organization_fkey
    foreign key (organization_id) references organizations (id),
  constraint change_sets_source_known check (source_kind in ('console', 'cli', 'agent', 'api')),
  constraint change_sets_mode_known check (mode in ('atomic', 'partial')),
  constraint change_sets_status_known check (status in ('open', 'approved', 'rejected', 'scheduled',
    'applied', 'reverted', 'failed', 'cancelled', 'expired'))
);

create index change_sets_by_creation on change_sets (organization_id, created_at desc, id desc);
create index change_sets_by_update on change_sets (organization_id, updated_at desc, id desc);
create index change_sets_by_end on change_sets (ended_at) where ended_at is not null;
-- What the clock has to do, over all organizations and, for sandboxes, in each.
create index change_sets_expiring on change_sets (expires_at)
  where status in ('open', 'approved', 'scheduled');
create index change_sets_applying on change_sets (apply_at) where status = 'scheduled';
create index change_sets_reverting on change_sets (revert_at)
  where status = 'applied' and ended_at is null;
create index change_sets_living_in on change_sets (organization_id) where ended_at is null;

-- The operations of a change set, in order, as they were sent and with what came of each.
create table change_set_operations (
  organization_id text collate "C" not null,
  -- The id of the change set and the index, so that ids sort as the operations run.
  id text collate "C" not null,
  change_set_id text collate "C" not null,
  index integer not null,
  resource text not null,
  op text not null,
  action text,
  ref text,
  -- The object; null until it is created. A reference such as `@summer` stays in `target`.
  object_id text collate "C",
  target text,
  version_given integer,
  body text,
  -- Of proxies, which have passwords.
  body_sealed text,
  sealed_under integer generated always as (sealed_under(body_sealed)) stored
    constraint change_set_operations_master_key_fkey references master_keys (id),
  effect text not null,
  name text,
  version_seen integer,
  changes jsonb not null,
  warnings jsonb not null,
  problem jsonb,
  result jsonb,
  constraint change_set_operations_pkey primary key (organization_id, id),
  constraint change_set_operations_change_set_fkey
    foreign key (organization_id, change_set_id) references change_sets (organization_id, id)
    on delete cascade,
  constraint change_set_operations_resource_known
    check (resource in ('campaign', 'profile', 'proxy', 'template')),
  constraint change_set_operations_op_known check (op in ('create', 'update', 'action', 'delete')),
  constraint change_set_operations_effect_known
    check (effect in ('create', 'update', 'action', 'delete', 'unchanged', 'failed'))
);

create index change_set_operations_in_order
  on change_set_operations (organization_id, change_set_id, index, id);

-- Only in the records of changes that a change set made: those before have their hash without it.
alter table audit_logs add column change_set_id text;
