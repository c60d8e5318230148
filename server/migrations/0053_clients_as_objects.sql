-- Clients as objects of their own, one of each name that profiles have. Nothing reads the names of
-- profiles any more: the former code may not run on this.
update migrations set is_floor = true where name = '0053_clients_as_objects';

alter table organizations add column time_zone text not null default 'UTC';

create table clients (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  name text collate "C" not null,
  name_folded text collate "C" not null,
  plain_name_folded text collate "C",
  -- The name as it is compared (server/src/values/name-key.ts): no two have the same.
  nfkc_name_folded text collate "C" not null,
  external_id text,
  currency text,
  time_zone text,
  status text not null,
  labels text[] not null,
  metadata jsonb not null,
  notes text,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by text,
  updated_by text,
  constraint clients_pkey primary key (organization_id, id),
  constraint clients_name_key unique (organization_id, nfkc_name_folded),
  constraint clients_organization_fkey foreign key (organization_id) references organizations (id),
  constraint clients_status_known check (status in ('active', 'archived')),
  constraint clients_writable check (is_writable(name, external_id, notes, labels, metadata))
);
create unique index clients_external_id_key on clients (organization_id, external_id)
  where external_id is not null;
create index clients_by_creation on clients (organization_id, created_at desc, id desc);
create index clients_by_update on clients (organization_id, updated_at desc, id desc);
create index clients_by_name on clients (organization_id, name_folded, id);

-- On a cluster, before profiles refer to it.
do $$
begin
  if to_regclass('pg_dist_partition') is not null then
    if exists (select from pg_dist_partition where logicalrelid = 'profiles'::regclass) then
      perform create_distributed_table('clients', 'organization_id', colocate_with => 'organizations');
    end if;
  end if;
end $$;

alter table profiles add column client_id text collate "C";

-- Of names that are the same but for case, the most frequent is kept. Case is what the best collation
-- of this database knows of it.
do $$
declare
  by_case text := coalesce((
    select quote_ident(collname) from pg_collation
    where collname in ('pg_unicode_fast', 'und-x-icu') and collnamespace = 'pg_catalog'::regnamespace
    order by collname limit 1), '"default"');
  compared text := format($sql$
    trim(normalize(replace(lower(upper(lower(normalize(client, nfkc) collate %1$s))), 'ς', 'σ') collate "C", nfkc))
  $sql$, by_case);
  digits text := '0123456789abcdefghjkmnpqrstvwxyz';
  named record;
  ms bigint := floor(extract(epoch from clock_timestamp()) * 1000);
  new_id text;
begin
  for named in execute format($sql$
    select organization_id, key, (array_agg(client order by uses desc, first))[1] as client
    from (
      select organization_id, client, count(*) as uses, min(id) as first,
        case when octet_length(%1$s) > 1000
          then encode(sha256(convert_to(%1$s, 'UTF8')), 'hex') else %1$s end as key
      from profiles where client is not null group by organization_id, client) as each
    group by organization_id, key order by organization_id, key $sql$, compared)
  loop
    -- A TypeID of UUID version 7.
    new_id := 'cli_'
      || (select string_agg(substr(digits, 1 + (ms >> (45 - 5 * at) & 31)::int, 1), '' order by at)
        from generate_series(0, 9) as at)
      || (select string_agg(substr(digits, 1 + case at
          when 0 then 14 + floor(random() * 2)::int
          when 3 then 8 + floor(random() * 2)::int * 16 + floor(random() * 4)::int
          else floor(random() * 32)::int end, 1), '' order by at)
        from generate_series(0, 15) as at);
    insert into clients (organization_id, id, name, name_folded, plain_name_folded, nfkc_name_folded, status,
      labels, metadata, version, created_at, updated_at)
    select named.organization_id, new_id, named.client, lower(named.client collate "default"),
      nullif(plain_text(lower(named.client collate "default")), lower(named.client collate "default")),
      named.key, 'active', '{}', '{}', 1,
      now() + o.clock_ahead_ms * interval '1 ms', now() + o.clock_ahead_ms * interval '1 ms'
    from organizations o where o.id = named.organization_id;
    execute format($sql$
      update profiles set client_id = $1
      where organization_id = $2 and client is not null
        and case when octet_length(%1$s) > 1000
          then encode(sha256(convert_to(%1$s, 'UTF8')), 'hex') else %1$s end = $3 $sql$, compared)
      using new_id, named.organization_id, named.key;
  end loop;
end $$;

update organization_heads h set counts = h.counts || jsonb_build_object('clients', c.count)
from (select organization_id, count(*) from clients group by organization_id) c
where c.organization_id = h.organization_id;

alter table profiles
  drop column client,
  add constraint profiles_client_fkey foreign key (organization_id, client_id)
    references clients (organization_id, id);
create index profiles_by_client on profiles (organization_id, client_id)
  where client_id is not null;

alter table change_set_operations
  drop constraint change_set_operations_resource_known,
  add constraint change_set_operations_resource_known
    check (resource in ('campaign', 'client', 'profile', 'proxy', 'template'));

create view profile_details as
  select profiles.*, clients.name as client, clients.nfkc_name_folded as client_folded
  from profiles
  left join clients on clients.organization_id = profiles.organization_id
    and clients.id = profiles.client_id;
