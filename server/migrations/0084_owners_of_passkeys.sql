-- Whose each passkey is: of one person alone, in whatever organization. Who logs in by it names no other.
create table passkey_owners (
  credential_id text collate "C" not null,
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  constraint passkey_owners_pkey primary key (credential_id)
);
-- One that two have registered stays with the first; the other logs in with it as the second step only.
insert into passkey_owners (credential_id, organization_id, user_id)
select distinct on (credential_id) credential_id, organization_id, user_id from factors
where credential_id is not null and verified_at is not null
order by credential_id, verified_at, id;
drop index factors_by_credential;
