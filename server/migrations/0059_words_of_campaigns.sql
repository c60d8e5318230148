-- The words of the campaigns in an index of searches, by which those that are written nearly alike are
-- found. Not logged, as that index.
create unlogged table campaign_words (
  organization_id text collate "C" not null,
  word text collate "C" not null,
  keys integer[] not null,
  constraint campaign_words_pkey primary key (organization_id, word)
);
create index campaign_words_by_key on campaign_words using gin (keys)
  with (gin_pending_list_limit = 256);

-- Made anew, with the words.
delete from campaign_search;
delete from campaign_search_states;
