-- People who are asked to join, and links that work once.
create table invitations (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  email text collate "C" not null,
  name text collate "C",
  role text collate "C" not null,
  scope jsonb,
  expires_at timestamptz not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The inviter.
  created_by text,
  updated_by text,
  constraint invitations_pkey primary key (organization_id, id),
  constraint invitations_organization_fkey foreign key (organization_id) references organizations (id),
  constraint invitations_email_key unique (organization_id, email),
  constraint invitations_role_known
    check (role in ('owner', 'admin', 'editor', 'viewer', 'auditor'))
);
create index invitations_by_creation on invitations (organization_id, created_at desc, id desc);
create index invitations_by_update on invitations (organization_id, updated_at desc, id desc);
create index invitations_by_inviter on invitations (organization_id, created_by);
create index invitations_by_end on invitations (expires_at);

-- Links to set a password or to join. Those that ended are kept for a while, to say so.
create table account_links (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  kind text collate "C" not null,
  -- The invitation, or the user.
  subject_id text collate "C" not null,
  -- SHA-256 of the secret in its address.
  secret_hash text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint account_links_pkey primary key (organization_id, id),
  constraint account_links_organization_fkey foreign key (organization_id)
    references organizations (id),
  constraint account_links_kind_known check (kind in ('invitation', 'password_reset'))
);
-- Who opens one names no organization.
create index account_links_by_secret on account_links (secret_hash);
create index account_links_by_subject on account_links (organization_id, kind, subject_id);
create index account_links_by_end on account_links (expires_at);
