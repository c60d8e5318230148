-- An index of searches, for organizations with very many campaigns: which parts of words each campaign
-- has, as numbers (server/src/query/search/keys.ts). The background keeps it by the events. It is made
-- anew where it is missing, as after a crash or in a backup, so it is not logged.
create unlogged table campaign_search (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  keys integer[] not null,
  constraint campaign_search_pkey primary key (organization_id, id)
);
-- Entries are gathered before they are sorted in, but few, as each search reads those.
create index campaign_search_by_key on campaign_search using gin (keys)
  with (gin_pending_list_limit = 256);

-- How far the index of each organization is; while it is being made, it has no campaign after this one.
create unlogged table campaign_search_states (
  organization_id text collate "C" not null,
  through bigint not null,
  built_to text collate "C",
  constraint campaign_search_states_pkey primary key (organization_id)
);
