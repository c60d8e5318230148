-- Whose account it is.
alter table profiles add column client text;
