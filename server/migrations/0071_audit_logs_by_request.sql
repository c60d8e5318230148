-- Audit records of one request, and of one kind of resource.
create index audit_logs_by_request on audit_logs (organization_id, (request ->> 'id'), sequence);
create index audit_logs_by_kind on audit_logs (organization_id, (resource ->> 'type'), sequence);
