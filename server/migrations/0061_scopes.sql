-- What a member or an API key sees of its organization; null: all.
alter table users add column scope jsonb;
alter table api_keys add column scope jsonb;
