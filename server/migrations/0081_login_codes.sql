-- Logins of programs that wait for a person to confirm their code in the console. Until then they are
-- of no organization.
create table login_codes (
  -- SHA-256 of the code that the person types.
  code_hash text collate "C" not null,
  -- SHA-256 of what the program asks by.
  secret_hash text collate "C" not null,
  -- The program, for the person to see.
  ip text,
  user_agent text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The person who confirmed it or refused it, and by which session.
  organization_id text collate "C",
  user_id text collate "C",
  session_id text collate "C",
  refused boolean not null,
  used_at timestamptz,
  constraint login_codes_pkey primary key (code_hash),
  constraint login_codes_answered check (
    (organization_id is null) = (session_id is null) and (user_id is null) = (session_id is null)),
  constraint login_codes_used check (used_at is null or (session_id is not null and not refused))
);
create index login_codes_by_end on login_codes (expires_at);
