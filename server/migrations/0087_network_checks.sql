-- What the network says of a deployment as it would be after the operation; null where none changes.
alter table change_set_operations add column network_check jsonb;
create index change_set_operations_unchecked_idx on change_set_operations
  (organization_id, (network_check ->> 'profile_id')) where network_check ->> 'outcome' = 'open';
