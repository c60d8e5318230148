-- What a change set has done, in the list and in the export. Most records belong to none.
create index audit_logs_by_change_set on audit_logs (organization_id, change_set_id, sequence)
  where change_set_id is not null;
