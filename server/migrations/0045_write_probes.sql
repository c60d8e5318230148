-- Probes of whether the database takes writes insert here, and are rolled back: it stays empty. A row
-- needs new space, as the small updates that still succeed on a full disk do not.
create table write_probes (
  id text collate "C" not null,
  filler text not null,
  constraint write_probes_pkey primary key (id)
);
