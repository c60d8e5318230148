-- Which objects an open change set is about is read from the index alone: lists judge many at once.
drop index change_set_operations_in_order;
create index change_set_operations_in_order
  on change_set_operations (organization_id, change_set_id, index, id)
  include (resource, object_id, version_seen);
