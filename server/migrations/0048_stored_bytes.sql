-- What an organization stores has a cap by plan. The head counts what each write adds; a measurement,
-- whose time is null until the first, sets the count right. The warning is about the limit of its time.
alter table organization_heads
  add column stored_bytes bigint not null default 0,
  add column bytes_measured_at timestamptz,
  add column bytes_warned_limit bigint,
  add constraint organization_heads_stored_bytes_check
    check (stored_bytes between 0 and 9007199254740991),
  add constraint organization_heads_bytes_warned_limit_check
    check (bytes_warned_limit between 0 and 9007199254740991);
