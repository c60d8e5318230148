-- Written by kernel/ledger.ts, in the transaction of the change they tell of. No foreign keys to
-- organizations: that transaction updates the organization's head too, which has one. Sequences are
-- given out by that head, one writer at a time: no key of these tables could hold them unique over
-- partitions. Partitions are by real time, and made and dropped by kernel/partitions.ts.

create table audit_logs (
  organization_id text collate "C" not null,
  sequence bigint not null,
  id text collate "C" not null,
  occurred_at timestamptz not null,
  action text not null,
  outcome text not null,
  actor jsonb not null,
  resource jsonb not null,
  changes jsonb not null,
  reason text,
  request jsonb,
  prev_hash text not null,
  hash text not null,
  -- No part of the record: an organization's newest one is kept by being stored anew.
  stored_on date not null,
  constraint audit_logs_pkey primary key (organization_id, sequence, stored_on),
  constraint audit_logs_outcome_known check (outcome in ('success', 'denied', 'failed'))
) partition by range (stored_on);

create index audit_logs_by_resource on audit_logs (organization_id, (resource ->> 'id'), sequence);
create index audit_logs_by_actor on audit_logs (organization_id, (actor ->> 'id'), sequence);

-- Records are never changed. Only pruning by age may delete, and say that one is stored anew; it
-- says so to the transaction.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if current_setting('flightdeck.pruning', true) = 'on' then
    if tg_op = 'DELETE' then
      return old;
    end if;
    if tg_op = 'UPDATE' and to_jsonb(new) - 'stored_on' = to_jsonb(old) - 'stored_on' then
      return new;
    end if;
  end if;
  raise exception 'audit records cannot be changed or deleted' using errcode = 'restrict_violation';
end
$$;

create trigger audit_logs_are_final before update or delete on audit_logs
  for each row execute function refuse_audit_change();
create trigger audit_logs_are_never_emptied before truncate on audit_logs
  for each statement execute function refuse_audit_change();
-- Also in a session that plays a replica (session_replication_role), which skips other triggers.
alter table audit_logs enable always trigger audit_logs_are_final;
alter table audit_logs enable always trigger audit_logs_are_never_emptied;

-- Where the chain of an organization begins once its oldest records were pruned.
create table audit_anchors (
  organization_id text collate "C" not null,
  sequence bigint not null,
  hash text not null,
  pruned_at timestamptz not null,
  seal text not null,
  constraint audit_anchors_pkey primary key (organization_id),
  constraint audit_anchors_hash_form check (hash ~ '^[0-9a-f]{64}$'),
  constraint audit_anchors_organization_fkey
    foreign key (organization_id) references organizations (id)
);

-- The body is the whole event as JSON text, written once: whoever is told of it, and however often,
-- gets the same bytes.
create table events (
  organization_id text collate "C" not null,
  sequence bigint not null,
  id text collate "C" not null,
  type text not null,
  occurred_at timestamptz not null,
  body text not null,
  constraint events_pkey primary key (organization_id, id)
) partition by range (id);

create index events_by_sequence on events (organization_id, sequence);

create table idempotency_keys (
  organization_id text collate "C" not null,
  scope text collate "C" not null,
  fingerprint text not null,
  status smallint not null,
  -- Most replies are the object of an event; any other is sealed in body.
  event_sequence bigint,
  body text,
  created_at timestamptz not null,
  constraint idempotency_keys_pkey primary key (organization_id, scope, created_at)
) partition by range (created_at);
