-- Which code may run on this database: only such as knows every migration marked here. A migration
-- marks itself where the code before it would do harm or fail.
alter table migrations
  add column is_floor boolean not null default false,
  -- The build that applied it, for messages; null of those before.
  add column applied_by text default nullif(current_setting('flightdeck.build', true), '');

-- The code before does not know of such marks.
update migrations set is_floor = true where name = '0043_oldest_code';

-- The commit that a process runs; null where its build does not say.
alter table processes add column revision text;
