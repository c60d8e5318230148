-- When the last complete inventory of an account began: what is linked since, its connector does not know.
alter table connections add column listed_at timestamptz;
