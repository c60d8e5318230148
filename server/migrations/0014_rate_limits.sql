-- Counts of requests a minute and of failed logins that all processes on this database share. They are
-- not worth a log of their own: after a crash they begin anew, as they do in memory.
create unlogged table rate_limits (
  key text collate "C" constraint rate_limits_pkey primary key,
  used integer not null,
  -- How many of those that asked in the last statement were let through: it tells itself by this.
  granted integer not null,
  expires_at timestamptz not null
) with (fillfactor = 50);

-- For the purge. A window's end does not change while it is counted, so counting stays off indexes.
create index rate_limits_expires_at on rate_limits (expires_at);
