-- Who is kept by a directory (SCIM), and its groups.
alter table users add column from_directory boolean not null default false;

-- What the directory knows of a member beyond the member itself.
create table scim_users (
  organization_id text collate "C" not null,
  -- The user's.
  id text collate "C" not null,
  external_id text collate "C",
  display_name text,
  given_name text,
  family_name text,
  -- Deleted by the directory: the member is disabled, and not shown to it until enabled again.
  deleted_at timestamptz,
  constraint scim_users_pkey primary key (organization_id, id),
  constraint scim_users_user_fkey foreign key (organization_id, id)
    references users (organization_id, id) on delete cascade,
  constraint scim_users_external_id_key unique (organization_id, external_id)
);

create table scim_groups (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  display_name text not null,
  display_name_folded text collate "C" not null,
  external_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint scim_groups_pkey primary key (organization_id, id),
  constraint scim_groups_organization_fkey
    foreign key (organization_id) references organizations (id),
  constraint scim_groups_name_key unique (organization_id, display_name_folded),
  constraint scim_groups_external_id_key unique (organization_id, external_id)
);

create table scim_group_members (
  organization_id text collate "C" not null,
  group_id text collate "C" not null,
  user_id text collate "C" not null,
  constraint scim_group_members_pkey primary key (organization_id, group_id, user_id),
  constraint scim_group_members_group_fkey foreign key (organization_id, group_id)
    references scim_groups (organization_id, id) on delete cascade,
  constraint scim_group_members_user_fkey foreign key (organization_id, user_id)
    references users (organization_id, id) on delete cascade
);
create index scim_group_members_by_user on scim_group_members (organization_id, user_id);

-- Keys of directories.
alter table api_keys drop constraint api_keys_role_known;
alter table api_keys add constraint api_keys_role_known
  check (role in ('owner', 'admin', 'editor', 'viewer', 'auditor', 'reporter', 'connector', 'provisioner'));
