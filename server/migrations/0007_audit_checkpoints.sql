-- What the service has signed of the end of each organization's chain, hour by hour: a chain that
-- was cut off, or written anew from some record on, no longer fits. No foreign keys: neither an
-- organization's row nor a key's may stand in the way of keeping what was signed.
create table audit_checkpoints (
  organization_id text collate "C" not null,
  sequence bigint not null,
  -- The list's second order, as every list has one: kernel/pages.ts.
  id text collate "C" not null generated always as (sequence::text) stored,
  head_hash text not null,
  signed_at timestamptz not null,
  key_id text not null,
  signature text not null,
  constraint audit_checkpoints_pkey primary key (organization_id, sequence),
  constraint audit_checkpoints_sequence_positive check (sequence > 0),
  constraint audit_checkpoints_hash_form check (head_hash ~ '^[0-9a-f]{64}$')
);

-- Final like the records themselves, and pruned with them.
create trigger audit_checkpoints_are_final before update or delete on audit_checkpoints
  for each row execute function refuse_audit_change();
create trigger audit_checkpoints_are_never_emptied before truncate on audit_checkpoints
  for each statement execute function refuse_audit_change();
alter table audit_checkpoints enable always trigger audit_checkpoints_are_final;
alter table audit_checkpoints enable always trigger audit_checkpoints_are_never_emptied;
