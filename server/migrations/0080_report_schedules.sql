-- Reports that are mailed every week or month.
create table report_schedules (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  report_id text collate "C" not null,
  every text collate "C" not null,
  -- Of a week from Monday, or of a month: past its end, its last.
  day smallint not null,
  hour smallint not null,
  -- The client's, else the organization's.
  time_zone text not null,
  recipients text[] not null,
  -- How long the links that it mails work.
  link_days smallint not null,
  status text collate "C" not null,
  disabled_reason text,
  -- Null while it is disabled.
  next_at timestamptz,
  last_sent_at timestamptz,
  last_error text,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- With whose rights it sends.
  created_by text,
  updated_by text,
  constraint report_schedules_pkey primary key (organization_id, id),
  constraint report_schedules_report_fkey foreign key (organization_id, report_id)
    references reports (organization_id, id) on delete cascade,
  constraint report_schedules_every_known check (every in ('week', 'month')),
  constraint report_schedules_day_fits check (
    day between 1 and 31 and (every = 'month' or day <= 7)),
  constraint report_schedules_hour_fits check (hour between 0 and 23),
  constraint report_schedules_recipients_fit check (cardinality(recipients) between 1 and 20),
  constraint report_schedules_link_days_fit check (link_days between 1 and 366),
  constraint report_schedules_status_known check (status in ('enabled', 'disabled')),
  constraint report_schedules_due check ((status = 'enabled') = (next_at is not null))
);
create index report_schedules_by_report
  on report_schedules (organization_id, report_id, created_at desc, id desc);
create index report_schedules_due on report_schedules (next_at) where next_at is not null;

-- The schedule that mailed it, which may be gone.
alter table report_links add column schedule_id text collate "C";
