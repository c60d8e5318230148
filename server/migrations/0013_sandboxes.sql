alter table organizations
  add column sandbox boolean not null default false,
  -- How far a sandbox's clock is ahead of the real time; it never goes back.
  add column clock_ahead_ms bigint not null default 0,
  add constraint organizations_clock_ahead
    check (clock_ahead_ms = 0 or (sandbox and clock_ahead_ms > 0));

-- What is due in a sandbox is looked for in it, as its time is its own.
create index organizations_ahead on organizations (id) where clock_ahead_ms > 0;
create index campaigns_starting_in on campaigns (organization_id, start_at)
  where status = 'scheduled';
create index campaigns_ending_in on campaigns (organization_id, end_at)
  where status in ('scheduled', 'active', 'paused') and end_at is not null;
