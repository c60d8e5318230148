-- What grows with the campaigns of an organization is not added up when it is asked for.

-- The sums of an organization's days, by label as well. A campaign counts for each of its labels; the
-- label of those without any is ''.
create table result_labels (
  organization_id text collate "C" not null,
  date date not null,
  label text collate "C" not null,
  currency text collate "C" not null,
  source text collate "C" not null,
  profile_id text collate "C" not null,
  row_count integer not null,
  final_count integer not null,
  spend_minor bigint not null,
  adjustment_minor bigint not null,
  impressions bigint not null,
  impressions_count integer not null,
  clicks bigint not null,
  clicks_count integer not null,
  conversions_millionths bigint not null,
  conversions_count integer not null,
  conversion_value_minor bigint not null,
  conversion_value_count integer not null,
  constraint result_labels_pkey
    primary key (organization_id, date, label, currency, source, profile_id)
) with (fillfactor = 75);

alter table result_days set (fillfactor = 75);

insert into result_labels (organization_id, date, label, currency, source, profile_id, row_count,
  final_count, spend_minor, adjustment_minor, impressions, impressions_count, clicks, clicks_count,
  conversions_millionths, conversions_count, conversion_value_minor, conversion_value_count)
select r.organization_id, r.date, each.label, c.currency, r.source, c.profile_id,
  count(*), count(*) filter (where r.is_final), sum(r.spend_minor), sum(r.adjustment_minor),
  coalesce(sum(r.impressions), 0), count(r.impressions), coalesce(sum(r.clicks), 0), count(r.clicks),
  coalesce(sum(r.conversions_millionths), 0), count(r.conversions_millionths),
  coalesce(sum(r.conversion_value_minor), 0), count(r.conversion_value_minor)
from results r
join campaigns c on c.organization_id = r.organization_id and c.id = r.campaign_id
cross join lateral
  unnest(case when c.labels = '{}' then array[''] else c.labels end) as each (label)
group by r.organization_id, r.date, each.label, c.currency, r.source, c.profile_id;

-- How far the sources have come, over all campaigns.
create table result_source_totals (
  organization_id text collate "C" not null,
  source text collate "C" not null,
  campaign_count integer not null,
  reported_at timestamptz not null,
  complete_through date not null,
  constraint result_source_totals_pkey primary key (organization_id, source)
) with (fillfactor = 50);

insert into result_source_totals (organization_id, source, campaign_count, reported_at,
  complete_through)
select organization_id, source, count(*), max(reported_at), max(complete_through)
from result_sources
group by organization_id, source;

-- The largest spends of each day, from which the campaigns that spent most are found.
create index results_by_spend
  on results (organization_id, date, source, spend_minor desc, campaign_id desc);
