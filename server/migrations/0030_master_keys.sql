-- The master keys that the secrets in this database are sealed under: one, or two while it is changed.
-- docs/decisions/0046-changing-the-master-key.md
create table master_keys (
  id integer constraint master_keys_pkey primary key,
  -- A constant, sealed under this key, by which it is recognized.
  proof text not null,
  -- While there are two: this key, sealed under the other one, so that either gives both.
  key_sealed text,
  -- Since when new values are sealed under it; null for the other one.
  active_since timestamptz
);
create unique index master_keys_active on master_keys ((true)) where active_since is not null;

insert into master_keys (id, proof, active_since) select 1, sealed, now() from master_key_proof;

alter table master_key_proof rename to installation;
alter table installation drop column sealed;
alter table installation rename constraint master_key_proof_pkey to installation_pkey;
alter table installation rename constraint master_key_proof_only_row to installation_only_row;
alter table installation rename column installation_id to id;

-- A sealed value begins with the id of its key and a point; without them it is of the first one.
create function sealed_under(sealed text) returns integer
  language sql immutable strict parallel safe
  return case when sealed ~ '^[0-9]{1,9}\.' then split_part(sealed, '.', 1)::integer else 1 end;

create function oldest_sealed_under(secrets jsonb) returns integer
  language sql immutable strict parallel safe
  return (select min(sealed_under(secret ->> 'sealed')) from jsonb_array_elements(secrets) secret);

-- The reference refuses to delete a key that still opens something, and to store what is sealed under a
-- key that is gone: a process that has missed the change cannot write what could never be opened.
alter table signing_keys add column sealed_under integer
  generated always as (sealed_under(private_jwk_sealed)) stored
  constraint signing_keys_master_key_fkey references master_keys (id);
alter table proxies add column sealed_under integer
  generated always as (least(sealed_under(username_sealed), sealed_under(password_sealed))) stored
  constraint proxies_master_key_fkey references master_keys (id);
alter table webhook_endpoints add column sealed_under integer
  generated always as (least(sealed_under(secret_sealed), oldest_sealed_under(previous_secrets))) stored
  constraint webhook_endpoints_master_key_fkey references master_keys (id);
alter table audit_anchors add column sealed_under integer
  generated always as (sealed_under(seal)) stored
  constraint audit_anchors_master_key_fkey references master_keys (id);

-- Which keys a process knows, and under which it seals.
alter table processes
  add column known_keys integer[] not null default '{}',
  add column sealing_key integer;

-- Few replies are stored; the others are in their events.
create index idempotency_keys_with_body on idempotency_keys (organization_id, scope, created_at)
  where body is not null;
