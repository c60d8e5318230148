-- How the people of an organization log in by its own identity provider.
create table sso_settings (
  organization_id text collate "C" not null,
  issuer text collate "C" not null,
  client_id text collate "C" not null,
  -- Sealed by the master key.
  client_secret_sealed text not null,
  own_redirect_uri boolean not null,
  default_role text collate "C" not null,
  role_claim text collate "C",
  -- Roles by the values of the claim, or by the names of groups.
  role_map jsonb not null,
  create_members boolean not null,
  trust_email boolean not null,
  -- Whether members of the proved domains log in only so.
  enforced boolean not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text,
  sealed_under integer generated always as (sealed_under(client_secret_sealed)) stored,
  constraint sso_settings_pkey primary key (organization_id),
  constraint sso_settings_organization_fkey foreign key (organization_id) references organizations (id),
  constraint sso_settings_master_key_fkey foreign key (sealed_under) references master_keys (id),
  constraint sso_settings_role_known check (default_role in ('admin', 'editor', 'viewer', 'auditor'))
);
create index sso_settings_sealed_under on sso_settings (sealed_under);

-- Domains whose addresses belong to an organization, once that is proved.
create table sso_domains (
  organization_id text collate "C" not null,
  domain text collate "C" not null,
  -- Published in the domain's DNS.
  token text collate "C" not null,
  proved_at timestamptz,
  -- How it was proved: by DNS, or by the operator.
  proved_by text collate "C",
  created_at timestamptz not null,
  constraint sso_domains_pkey primary key (organization_id, domain),
  constraint sso_domains_organization_fkey foreign key (organization_id) references organizations (id),
  constraint sso_domains_way_known check (proved_by in ('dns', 'operator')),
  constraint sso_domains_proved check ((proved_at is null) = (proved_by is null))
);

-- The one organization of each proved domain: who logs in names none.
create table proved_domains (
  domain text collate "C" not null,
  organization_id text collate "C" not null,
  constraint proved_domains_pkey primary key (domain)
);

-- The people as their provider names them. Each has one subject.
create table sso_people (
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  created_at timestamptz not null,
  constraint sso_people_pkey primary key (organization_id, user_id),
  constraint sso_people_subject_key unique (organization_id, issuer, subject),
  constraint sso_people_user_fkey foreign key (organization_id, user_id)
    references users (organization_id, id) on delete cascade
);

-- Answers of a provider that were used: each works once.
create table sso_answers (
  organization_id text collate "C" not null,
  -- SHA-256 of its `state`, or of its `jti`.
  answer_hash text collate "C" not null,
  expires_at timestamptz not null,
  constraint sso_answers_pkey primary key (organization_id, answer_hash),
  constraint sso_answers_organization_fkey foreign key (organization_id) references organizations (id)
);
create index sso_answers_by_end on sso_answers (expires_at);

-- Of a session by single sign-on: whose it is there, and when the person last proved who it is.
alter table sessions
  add column sso_issuer text collate "C",
  add column sso_session text collate "C",
  add column authenticated_at timestamptz;
