-- What machines come with instead of a login. Of the key itself there is a digest and its end.
create table api_keys (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  role text not null,
  -- SHA-256 of the whole key, in hex.
  key_hash text collate "C" not null,
  key_hint text not null,
  expires_at timestamptz,
  -- Written beside the requests, about once a minute at most.
  last_used_at timestamptz,
  -- A deleted key stays a while, so that whoever comes with it is told so.
  revoked_at timestamptz,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by text,
  updated_by text,
  constraint api_keys_pkey primary key (organization_id, id),
  -- A key has its organization in it: no lookup goes beyond one.
  constraint api_keys_hash_key unique (organization_id, key_hash),
  constraint api_keys_organization_fkey
    foreign key (organization_id) references organizations (id),
  constraint api_keys_role_known check (role in ('owner', 'admin', 'editor', 'viewer', 'auditor'))
);

create index api_keys_by_creation on api_keys (organization_id, created_at desc, id desc)
  where revoked_at is null;
create index api_keys_by_update on api_keys (organization_id, updated_at desc, id desc)
  where revoked_at is null;
create index api_keys_by_name on api_keys (organization_id, name, id) where revoked_at is null;
create index api_keys_by_revocation on api_keys (revoked_at) where revoked_at is not null;
