-- Indexes for filters that few rows of very many meet. Those on templates, labels and outcomes cost a
-- row without one nothing.
create index campaigns_by_template on campaigns (organization_id, template_id)
  where template_id is not null;
create index campaigns_by_currency on campaigns (organization_id, currency, objective);

-- Labels with their organization, as an index of labels alone would have those of all together.
create function labels_within(organization_id text, labels text[]) returns text[]
  language sql immutable strict parallel safe
  return array(select organization_id || ' ' || label from unnest(labels) as each (label));
create index campaigns_by_label on campaigns using gin (labels_within(organization_id, labels))
  with (fastupdate = off) where labels <> '{}';

create index events_by_type on events (organization_id, type, sequence);
create index audit_logs_by_action on audit_logs (organization_id, action, sequence);
create index audit_logs_by_outcome on audit_logs (organization_id, outcome, sequence)
  where outcome <> 'success';
