-- Organizations, their users and sessions, and the service's own keys.

create table organizations (
  id text collate "C" not null,
  name text not null,
  plan text not null,
  status text not null default 'active',
  require_if_match boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint organizations_pkey primary key (id),
  constraint organizations_plan_known check (plan in ('free', 'operator', 'captain', 'zion')),
  constraint organizations_status_known check (status in ('active', 'suspended'))
);

-- One hot row an organization: the ends of its audit chain and of its events. Whoever writes takes
-- the next audit sequence, which two cannot, so there is one writer at a time and no gap.
create table organization_heads (
  organization_id text collate "C" not null,
  audit_sequence bigint not null default 0,
  audit_hash text not null default repeat('0', 64),
  event_sequence bigint not null default 0,
  counts jsonb not null default '{}',
  constraint organization_heads_pkey primary key (organization_id),
  constraint organization_heads_organization_fkey foreign key (organization_id) references organizations (id)
) with (fillfactor = 50);

create table users (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  email text not null,
  name text collate "C" not null,
  role text not null,
  disabled boolean not null default false,
  password_hash text not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_login_at timestamptz,
  constraint users_pkey primary key (organization_id, id),
  constraint users_email_lower check (email = lower(email)),
  constraint users_role_known check (role in ('owner', 'admin', 'editor', 'viewer', 'auditor')),
  constraint users_organization_fkey foreign key (organization_id) references organizations (id)
);

-- Whose an address is, for whoever logs in and says no organization: unique in the whole service.
create table user_emails (
  email text not null,
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  constraint user_emails_pkey primary key (email),
  constraint user_emails_user_key unique (organization_id, user_id),
  constraint user_emails_email_lower check (email = lower(email)),
  constraint user_emails_user_fkey foreign key (organization_id, user_id)
    references users (organization_id, id)
);

create index users_by_creation on users (organization_id, created_at desc, id desc);
create index users_by_update on users (organization_id, updated_at desc, id desc);
create index users_by_name on users (organization_id, name, id);

-- The tokens of a session differ in their jti. Those replaced lately, [{"id", "until", "process",
-- "until_there"}], oldest first, work a little longer.
create table sessions (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  token_id text not null,
  token_issued_at timestamptz not null,
  replaced_tokens jsonb not null default '[]',
  ip text,
  user_agent text,
  created_at timestamptz not null,
  last_refreshed_at timestamptz,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint sessions_pkey primary key (organization_id, id),
  constraint sessions_user_fkey foreign key (organization_id, user_id)
    references users (organization_id, id) on delete cascade
);

create index sessions_by_user on sessions (organization_id, user_id, created_at desc, id desc);
create index sessions_by_end on sessions (least(ended_at, expires_at));

create table signing_keys (
  id text not null,
  public_jwk jsonb not null,
  private_jwk_sealed text not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  constraint signing_keys_pkey primary key (id)
);

-- Proof that the configured master key is the one this database was made with.
create table master_key_proof (
  only_row boolean not null default true,
  sealed text not null,
  constraint master_key_proof_pkey primary key (only_row),
  constraint master_key_proof_only_row check (only_row)
);
