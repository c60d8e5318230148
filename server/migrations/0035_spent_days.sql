-- What a campaign's plan is judged by, day by day, so that a report need not read the results that are
-- stored already. Written with `plan_key`; null where it is to be read anew.
alter table campaign_pacing add column spent_days json;

-- Never searched: as text they take half the room, and less time to write.
alter table campaign_pacing alter column figures type json, alter column plan type json;

-- Reports update the same rows again and again: with room beside them, no index is written.
alter table result_months set (fillfactor = 75);
alter table result_sources set (fillfactor = 75);
alter table campaign_pacing set (fillfactor = 80);
