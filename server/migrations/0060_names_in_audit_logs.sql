-- An index of the names in audit records, for organizations with very many of them: the parts of words of
-- all names that a resource has had (server/src/query/search/keys.ts). Not logged, as it is made anew.
create unlogged table audited_names (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  keys integer[] not null,
  constraint audited_names_pkey primary key (organization_id, id)
);
create index audited_names_by_key on audited_names using gin (keys)
  with (gin_pending_list_limit = 256);

-- How far the index of each organization is.
create unlogged table audited_name_states (
  organization_id text collate "C" not null,
  through bigint not null,
  constraint audited_name_states_pkey primary key (organization_id)
);
