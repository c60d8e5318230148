-- Whether members without a second factor may do nothing but set one up.
alter table organizations add column require_second_factor boolean not null default false;
