-- What people ask for goes first, also where an endpoint is held back with very many behind it.
create index webhook_deliveries_by_hand
  on webhook_deliveries (endpoint_id, next_attempt_at, id)
  where status = 'pending' and trigger in ('test', 'manual');
