-- What was spent, as clients report it: the figures of one day of a campaign, from one source. Days are
-- those of the campaign's time zone. Partitioned by the day; the partition of a month is made when
-- the first result of the month is reported.
create table results (
  organization_id text collate "C" not null,
  campaign_id text collate "C" not null,
  date date not null,
  source text collate "C" not null,
  spend_minor bigint not null,
  -- Credits are negative.
  adjustment_minor bigint not null,
  -- Null where the source does not report it.
  impressions bigint,
  clicks bigint,
  -- Networks share a conversion between ads, so counts have decimals.
  conversions_millionths bigint,
  conversion_value_minor bigint,
  is_final boolean not null,
  -- When the source says that the figures were true.
  reported_at timestamptz not null,
  constraint results_pkey primary key (organization_id, campaign_id, date, source),
  constraint results_spend_not_negative check (spend_minor >= 0),
  constraint results_counts_not_negative
    check (impressions >= 0 and clicks >= 0 and conversions_millionths >= 0),
  constraint results_value_not_negative check (conversion_value_minor >= 0)
) partition by range (date);

-- Older months are few, and rarely read.
create table results_20000101 partition of results
  for values from ('2000-01-01') to ('2024-01-01');

-- The sources that a campaign's results come from, and how far each has come.
create table result_sources (
  organization_id text collate "C" not null,
  campaign_id text collate "C" not null,
  source text collate "C" not null,
  reported_at timestamptz not null,
  complete_through date not null,
  constraint result_sources_pkey primary key (organization_id, campaign_id, source),
  constraint result_sources_campaign_fkey foreign key (organization_id, campaign_id)
    references campaigns (organization_id, id)
);

-- Running sums, kept in the transaction that stores the rows. A sum of what is optional counts the
-- rows that have it: without one there is no sum.
create table result_months (
  organization_id text collate "C" not null,
  campaign_id text collate "C" not null,
  month date not null,
  source text collate "C" not null,
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
  constraint result_months_pkey primary key (organization_id, campaign_id, month, source),
  constraint result_months_first_day check (extract(day from month) = 1)
);

create index result_months_by_month on result_months (organization_id, month);

-- The same of a whole organization by day: few rows, however many campaigns there are.
create table result_days (
  organization_id text collate "C" not null,
  date date not null,
  currency text collate "C" not null,
  source text collate "C" not null,
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
  constraint result_days_pkey primary key (organization_id, date, currency, source)
);

-- Reports results, and does nothing else but read campaigns.
alter table api_keys drop constraint api_keys_role_known;
alter table api_keys add constraint api_keys_role_known
  check (role in ('owner', 'admin', 'editor', 'viewer', 'auditor', 'reporter'));
