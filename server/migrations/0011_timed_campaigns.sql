-- Campaigns that the clock will move, by the time when: looked for twice a second, everywhere.
create index campaigns_starting on campaigns (start_at) where status = 'scheduled';
create index campaigns_ending on campaigns (end_at)
  where status in ('scheduled', 'active', 'paused') and end_at is not null;
