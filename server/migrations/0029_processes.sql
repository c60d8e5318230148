-- What each process of the service runs with. One is alive while it holds the lease `process/<id>`.
create table processes (
  id text collate "C" constraint processes_pkey primary key,
  role text not null,
  url text not null,
  host text not null,
  pid integer not null,
  version text not null,
  started_at timestamptz not null,
  -- By the name of each setting: its text, or of a secret a keyed digest.
  settings jsonb not null
);
