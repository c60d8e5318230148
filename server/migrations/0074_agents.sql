-- Limits of a key that a language model uses; null for all others.
alter table api_keys
  add column agent jsonb,
  -- Since when its writes are stopped, by whom (null: by the service), and why.
  add column stopped_at timestamptz,
  add column stopped_by text,
  add column stop_reason text,
  -- Its newest refusals, at most 100: each with its real time.
  add column refusals jsonb not null default '[]';

-- What the change set took of the envelope of the agent that applied it, by currency.
alter table change_sets add column envelope_use jsonb;
create index change_sets_by_envelope on change_sets (organization_id, applied_by, applied_at)
  where envelope_use is not null;
