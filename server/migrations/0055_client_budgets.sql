-- What a client may spend in a month, by currency; a month without a row has no budget.
create table client_budgets (
  organization_id text collate "C" not null,
  client_id text collate "C" not null,
  month date not null,
  -- Minor units, by currency.
  amounts jsonb not null,
  note text,
  version integer not null,
  updated_at timestamptz not null,
  updated_by text,
  constraint client_budgets_pkey primary key (organization_id, client_id, month),
  constraint client_budgets_client_fkey foreign key (organization_id, client_id)
    references clients (organization_id, id) on delete cascade,
  constraint client_budgets_first_day check (extract(day from month) = 1),
  constraint client_budgets_note_fits check (char_length(note) <= 2000)
);
create index client_budgets_by_month on client_budgets (organization_id, month);
