-- Names in their case-folded form (server/src/values/folded.ts), by which lists sort. The service
-- writes them; present rows get what the database makes of them.

alter table campaigns add column name_folded text collate "C";
update campaigns set name_folded = lower(name collate "default");
alter table campaigns alter column name_folded set not null;
drop index campaigns_by_name;
create index campaigns_by_name on campaigns (organization_id, name_folded, id);

alter table profiles add column name_folded text collate "C";
update profiles set name_folded = lower(name collate "default");
alter table profiles alter column name_folded set not null;
drop index profiles_by_name;
create index profiles_by_name on profiles (organization_id, name_folded, id);

alter table proxies add column name_folded text collate "C";
update proxies set name_folded = lower(name collate "default");
alter table proxies alter column name_folded set not null;
drop index proxies_by_name;
create index proxies_by_name on proxies (organization_id, name_folded, id);

alter table templates add column name_folded text collate "C";
update templates set name_folded = lower(name collate "default");
alter table templates alter column name_folded set not null;
create index templates_by_name on templates (organization_id, name_folded, id);

alter table users add column name_folded text collate "C";
update users set name_folded = lower(name collate "default");
alter table users alter column name_folded set not null;
drop index users_by_name;
create index users_by_name on users (organization_id, name_folded, id);

alter table api_keys add column name_folded text collate "C";
update api_keys set name_folded = lower(name collate "default");
alter table api_keys alter column name_folded set not null;
drop index api_keys_by_name;
create index api_keys_by_name on api_keys (organization_id, name_folded, id) where revoked_at is null;
