-- The sums of an organization's days, by profile as well: what is summed up by client, platform or
-- profile need not be read campaign by campaign. Made anew from the results.
delete from result_days;
alter table result_days
  drop constraint result_days_pkey,
  add column profile_id text collate "C" not null,
  add constraint result_days_pkey
    primary key (organization_id, date, currency, source, profile_id);

insert into result_days (organization_id, date, currency, source, profile_id, row_count, final_count,
  spend_minor, adjustment_minor, impressions, impressions_count, clicks, clicks_count,
  conversions_millionths, conversions_count, conversion_value_minor, conversion_value_count)
select r.organization_id, r.date, c.currency, r.source, c.profile_id,
  count(*), count(*) filter (where r.is_final), sum(r.spend_minor), sum(r.adjustment_minor),
  coalesce(sum(r.impressions), 0), count(r.impressions), coalesce(sum(r.clicks), 0), count(r.clicks),
  coalesce(sum(r.conversions_millionths), 0), count(r.conversions_millionths),
  coalesce(sum(r.conversion_value_minor), 0), count(r.conversion_value_minor)
from results r
join campaigns c on c.organization_id = r.organization_id and c.id = r.campaign_id
group by r.organization_id, r.date, c.currency, r.source, c.profile_id;
