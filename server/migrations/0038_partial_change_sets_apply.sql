-- Partial change sets can be applied whatever fails in them: also those that were tried before.
update change_sets set applicable = true
where mode = 'partial' and not applicable and ended_at is null;
