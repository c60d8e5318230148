-- Second factors of people. Those that are not verified guard nothing, and go after an hour.
create table factors (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  kind text collate "C" not null,
  name text collate "C" not null,
  -- Of a time code: its secret, sealed by the master key, and the last step that was used.
  secret_sealed text,
  last_step bigint,
  -- Of recovery codes: SHA-256 of each that is left.
  code_hashes jsonb,
  -- Of a passkey: what its registration must answer, then what it is.
  challenge text collate "C",
  credential_id text collate "C",
  public_key text collate "C",
  sign_count bigint,
  transports jsonb,
  verified_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  -- Null once it is verified.
  expires_at timestamptz,
  sealed_under integer generated always as (sealed_under(secret_sealed)) stored,
  constraint factors_pkey primary key (organization_id, id),
  constraint factors_user_fkey foreign key (organization_id, user_id)
    references users (organization_id, id) on delete cascade,
  constraint factors_master_key_fkey foreign key (sealed_under) references master_keys (id),
  constraint factors_kind_known check (kind in ('totp', 'passkey', 'recovery_codes'))
);
create index factors_by_creation on factors (organization_id, user_id, created_at desc, id desc);
create index factors_by_end on factors (expires_at) where expires_at is not null;
create index factors_sealed_under on factors (sealed_under);
-- Who logs in by a passkey alone names no organization.
create index factors_by_credential on factors (credential_id) where credential_id is not null;

-- Logins whose password was right, and that wait for a second factor.
create table login_challenges (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  -- SHA-256 of what the client sends back.
  secret_hash text collate "C" not null,
  -- What a passkey must sign; null until it is asked for.
  passkey_challenge text collate "C",
  tries integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint login_challenges_pkey primary key (organization_id, id),
  constraint login_challenges_user_fkey foreign key (organization_id, user_id)
    references users (organization_id, id) on delete cascade
);
create index login_challenges_by_secret on login_challenges (secret_hash);
create index login_challenges_by_user on login_challenges (organization_id, user_id);
create index login_challenges_by_end on login_challenges (expires_at);

-- Whether a verified factor guards the person's logins.
alter table users add column second_factor boolean not null default false;
