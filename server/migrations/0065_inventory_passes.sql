-- Since when the inventory that is being sent goes on; null: none has begun.
alter table connections add column pass_since timestamptz;

create index network_campaigns_by_name
  on network_campaigns (organization_id, profile_id, name_folded, id);
