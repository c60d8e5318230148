-- The log of all endpoints goes by the primary key; what did not succeed is found without the rest.
-- A delivery leaves this index when it succeeds, as almost all do.
create index webhook_deliveries_unsuccessful on webhook_deliveries (organization_id, id)
  where status <> 'succeeded';
