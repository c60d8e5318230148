-- What waits for a campaign is shown beside it: its change sets are found by the object.
create index change_set_operations_of_object
  on change_set_operations (organization_id, object_id, change_set_id)
  where object_id is not null;
