-- What each endpoint is told, and what came of it. Written by kernel/outbox.ts in the transaction of
-- the change; carried out by delivery/. Partitions are by the time in a delivery's id, which is real
-- time, and made and dropped by kernel/partitions.ts.

create table webhook_deliveries (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id text collate "C" not null,
  event_type text not null,
  -- Null for a test, which stands outside the sequence and brings its own body.
  event_sequence bigint,
  body text,
  status text not null,
  -- Of the next attempt.
  trigger text not null,
  attempt_count integer not null default 0,
  -- Attempts of the schedule that failed so far: another trigger begins it anew.
  retry_count integer not null default 0,
  next_attempt_at timestamptz,
  last_error text,
  last_response_status smallint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_deliveries_pkey primary key (organization_id, id),
  constraint webhook_deliveries_endpoint_fkey foreign key (organization_id, endpoint_id)
    references webhook_endpoints (organization_id, id) on delete cascade,
  constraint webhook_deliveries_has_body check ((event_sequence is null) = (body is not null)),
  constraint webhook_deliveries_status_known check (status in
    ('pending', 'succeeded', 'failed', 'skipped', 'cancelled')),
  constraint webhook_deliveries_pending_has_time
    check ((status = 'pending') = (next_attempt_at is not null))
) partition by range (id);

-- These begin with ids that are unique in the whole service: in a new partition, of which the planner
-- knows nothing yet, only the primary key then seems to fit where a delivery is looked up by its own.
create index webhook_deliveries_by_creation
  on webhook_deliveries (endpoint_id, created_at desc, id desc);
create index webhook_deliveries_by_event on webhook_deliveries (event_id);
-- The lane of an endpoint, oldest first; and who has anything due.
create index webhook_deliveries_due
  on webhook_deliveries (endpoint_id, next_attempt_at, id)
  where status = 'pending';
create index webhook_deliveries_due_anywhere on webhook_deliveries (next_attempt_at)
  where status = 'pending';

-- No foreign key: a partition of deliveries is dropped without a look at all attempts there are.
create table webhook_attempts (
  organization_id text collate "C" not null,
  delivery_id text collate "C" not null,
  number integer not null,
  trigger text not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  address text,
  request_headers jsonb not null,
  response_status smallint,
  response_headers jsonb,
  response_body text,
  error jsonb,
  constraint webhook_attempts_pkey primary key (organization_id, delivery_id, number)
) partition by range (delivery_id);
