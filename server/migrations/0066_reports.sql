-- Reports: what a client is shown of its results.
create table reports (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  name_folded text collate "C" not null,
  plain_name_folded text collate "C",
  client_id text collate "C",
  filter jsonb,
  -- The clients that it is about; empty where it may show any.
  client_ids text[] not null,
  -- The name of a relative period, or its ends.
  period jsonb not null,
  compare text,
  sections jsonb not null,
  texts jsonb not null,
  logo_type text,
  logo_bytes integer,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by text,
  updated_by text,
  constraint reports_pkey primary key (organization_id, id),
  constraint reports_organization_fkey foreign key (organization_id) references organizations (id),
  constraint reports_client_fkey foreign key (organization_id, client_id)
    references clients (organization_id, id),
  constraint reports_one_subject check (client_id is null or filter is null),
  constraint reports_compare_known check (compare in ('previous_period', 'previous_year')),
  constraint reports_sections_fit check (jsonb_array_length(sections) between 1 and 11),
  constraint reports_logo_known check (logo_type in ('image/png', 'image/jpeg'))
);
create index reports_by_creation on reports (organization_id, created_at desc, id desc);
create index reports_by_update on reports (organization_id, updated_at desc, id desc);
create index reports_by_name on reports (organization_id, name_folded, id);
create index reports_by_client on reports (organization_id, client_id) where client_id is not null;

-- Apart from the reports, so that lists stay light.
create table report_logos (
  organization_id text collate "C" not null,
  -- The report.
  id text collate "C" not null,
  -- Base64.
  content text not null,
  constraint report_logos_pkey primary key (organization_id, id),
  constraint report_logos_report_fkey foreign key (organization_id, id)
    references reports (organization_id, id) on delete cascade,
  constraint report_logos_fit check (char_length(content) <= 266668)
);
