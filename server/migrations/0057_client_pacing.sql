-- What a campaign is planned to spend on each day of its client's months, made again as its plan is.
alter table campaign_pacing
  add column planned_from date,
  -- Minor units, a day each from then on.
  add column planned_minors bigint[],
  add column planned_version integer,
  -- The day that its flight begins on, in its zone.
  add column begins_on date;

-- A client's months by currency, as the background has assessed them last.
create table client_pacing (
  organization_id text collate "C" not null,
  -- Client, month and currency.
  id text collate "C" not null,
  client_id text collate "C" not null,
  month date not null,
  currency text collate "C" not null,
  currency_exponent smallint not null,
  -- By day of the month; null: not known, as it is too far away.
  planned_minors bigint[],
  complete_through date,
  reported_at timestamptz,
  is_running boolean not null,
  status text,
  money_at_risk bigint,
  constraint client_pacing_pkey primary key (organization_id, id),
  constraint client_pacing_client_fkey foreign key (organization_id, client_id)
    references clients (organization_id, id) on delete cascade,
  constraint client_pacing_status_known check (status in ('not_running', 'no_data', 'exhausted',
    'stale', 'low_confidence', 'critical', 'over', 'under', 'on_track'))
) with (fillfactor = 75);
create index client_pacing_by_risk
  on client_pacing (organization_id, month, money_at_risk desc nulls last, id desc);
create index client_pacing_by_client on client_pacing (organization_id, client_id, month);

-- When a client's months are to be assessed again.
create table client_pacing_due (
  organization_id text collate "C" not null,
  client_id text collate "C" not null,
  due_at timestamptz not null,
  revision integer not null,
  constraint client_pacing_due_pkey primary key (organization_id, client_id),
  constraint client_pacing_due_client_fkey foreign key (organization_id, client_id)
    references clients (organization_id, id) on delete cascade
) with (fillfactor = 75);
create index client_pacing_due_by_time on client_pacing_due (due_at);
create index client_pacing_due_in on client_pacing_due (organization_id, due_at);

insert into client_pacing_due (organization_id, client_id, due_at, revision)
select organization_id, id, now(), 1 from clients;

-- The days of a client are those of its profiles.
create index result_days_by_profile on result_days (organization_id, profile_id, date);
