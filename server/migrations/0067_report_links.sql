-- Reports as they were, and links by which people without an account see one.
create table report_snapshots (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  report_id text collate "C" not null,
  name text collate "C" not null,
  period_from date not null,
  period_to date not null,
  -- The report with its figures, as the API answered it.
  content json not null,
  created_at timestamptz not null,
  created_by text,
  constraint report_snapshots_pkey primary key (organization_id, id),
  constraint report_snapshots_report_fkey foreign key (organization_id, report_id)
    references reports (organization_id, id) on delete cascade
);
create index report_snapshots_by_report
  on report_snapshots (organization_id, report_id, created_at desc, id desc);

create table report_links (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  report_id text collate "C" not null,
  snapshot_id text collate "C",
  -- SHA-256 of the secret in its address.
  token_hash text collate "C" not null,
  password_hash text,
  expires_at timestamptz not null,
  views integer not null,
  last_viewed_at timestamptz,
  created_at timestamptz not null,
  created_by text,
  constraint report_links_pkey primary key (organization_id, id),
  constraint report_links_report_fkey foreign key (organization_id, report_id)
    references reports (organization_id, id) on delete cascade,
  constraint report_links_snapshot_fkey foreign key (organization_id, snapshot_id)
    references report_snapshots (organization_id, id)
);
create index report_links_by_report
  on report_links (organization_id, report_id, created_at desc, id desc);
-- Visitors name no organization.
create index report_links_by_token on report_links (token_hash);
