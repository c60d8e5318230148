-- Which process does what only one may do at a time. Logged: a lease must survive a crash of PostgreSQL,
-- as its holder goes on believing in it.
create table leases (
  name text collate "C" constraint leases_pkey primary key,
  -- One process, by an id of its own.
  holder text collate "C" not null,
  -- By this server's clock; from then on another process may take the lease over.
  expires_at timestamptz not null
) with (fillfactor = 50);

-- Until now a held job of pg-boss was the lease. Without these queues, a process of the version before
-- that still runs finds its leases gone within three seconds, and leaves the work to this version.
do $$
begin
  if to_regclass('pgboss.queue') is null then return; end if;
  -- Such a process must not add a job between the two deletions.
  lock table pgboss.job in share row exclusive mode;
  delete from pgboss.job where name in ('webhook-lanes', 'campaigns.timed-moves');
  delete from pgboss.queue where name in ('webhook-lanes', 'campaigns.timed-moves');
end
$$;
