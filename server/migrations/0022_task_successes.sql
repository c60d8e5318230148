-- When each task of the operator and each scheduled job last succeeded, for alerts on what stopped.
create table task_successes (
  task text constraint task_successes_pkey primary key,
  succeeded_at timestamptz not null
);

-- Counted at every scrape.
create index proxies_failing on proxies (organization_id, id) where status = 'failing';
create index webhook_endpoints_given_up on webhook_endpoints (organization_id, id)
  where status = 'disabled' and disabled_reason <> 'manual';
