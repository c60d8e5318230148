-- What the checks of a proxy have found so far, beside its health and last_check, and when the next
-- one is due. Whole milliseconds: the job that goes through them compares times as the API shows them.
alter table proxies
  add column consecutive_failures integer not null default 0,
  add column consecutive_successes integer not null default 0,
  add column next_check_at timestamptz not null default date_trunc('milliseconds', now());
alter table proxies alter column next_check_at drop default;

create index proxies_due on proxies (next_check_at, organization_id, id) where enabled;
