alter table profiles add column external_id text;
alter table proxies add column external_id text;
alter table templates add column external_id text;

create unique index profiles_external_id_key on profiles (organization_id, external_id)
  where external_id is not null;
create unique index proxies_external_id_key on proxies (organization_id, external_id)
  where external_id is not null;
create unique index templates_external_id_key on templates (organization_id, external_id)
  where external_id is not null;
