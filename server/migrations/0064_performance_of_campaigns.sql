-- How each campaign with a target or results performs, as the background has judged it last, so that
-- lists find and sort campaigns by it.
create table campaign_performance (
  organization_id text collate "C" not null,
  -- The campaign's.
  id text collate "C" not null,
  -- Null where it is not judged: without a target, or neither scheduled, active nor paused.
  status text,
  performance_index double precision,
  -- The target that it was judged by.
  target jsonb,
  -- When it is to be judged anew, by the clock of the organization; null: when something comes.
  due_at timestamptz,
  revision integer not null,
  constraint campaign_performance_pkey primary key (organization_id, id),
  constraint campaign_performance_campaign_fkey foreign key (organization_id, id)
    references campaigns (organization_id, id) on delete cascade,
  constraint campaign_performance_status_known
    check (status in ('on_target', 'off_target', 'low_data', 'no_data'))
) with (fillfactor = 75);

create index campaign_performance_by_status on campaign_performance (organization_id, status)
  where status is not null;
create index campaign_performance_by_index on campaign_performance
  (organization_id, performance_index desc nulls last, id desc) where status is not null;
create index campaign_performance_due on campaign_performance (due_at) where due_at is not null;
-- In sandboxes, whose clocks are ahead.
create index campaign_performance_due_in on campaign_performance (organization_id, due_at)
  where due_at is not null;

-- What a campaign achieved in a window; none where nothing was reported for it. Amounts are in major
-- units of its currency.
create table campaign_metrics (
  organization_id text collate "C" not null,
  -- The campaign's.
  id text collate "C" not null,
  metric_window text collate "C" not null,
  spend double precision not null,
  impressions double precision,
  clicks double precision,
  conversions double precision,
  ctr double precision,
  cpc double precision,
  cpm double precision,
  cpa double precision,
  roas double precision,
  constraint campaign_metrics_pkey primary key (organization_id, id, metric_window),
  constraint campaign_metrics_campaign_fkey foreign key (organization_id, id)
    references campaigns (organization_id, id) on delete cascade,
  constraint campaign_metrics_window_known
    check (metric_window in ('7d', '14d', '30d', 'this_month', 'last_month'))
) with (fillfactor = 75);

create index campaign_metrics_by_spend
  on campaign_metrics (organization_id, metric_window, spend desc nulls last, id desc);
create index campaign_metrics_by_impressions
  on campaign_metrics (organization_id, metric_window, impressions desc nulls last, id desc)
  where impressions is not null;
create index campaign_metrics_by_clicks
  on campaign_metrics (organization_id, metric_window, clicks desc nulls last, id desc)
  where clicks is not null;
create index campaign_metrics_by_conversions
  on campaign_metrics (organization_id, metric_window, conversions desc nulls last, id desc)
  where conversions is not null;
create index campaign_metrics_by_ctr
  on campaign_metrics (organization_id, metric_window, ctr desc nulls last, id desc)
  where ctr is not null;
create index campaign_metrics_by_cpc
  on campaign_metrics (organization_id, metric_window, cpc desc nulls last, id desc)
  where cpc is not null;
create index campaign_metrics_by_cpm
  on campaign_metrics (organization_id, metric_window, cpm desc nulls last, id desc)
  where cpm is not null;
create index campaign_metrics_by_cpa
  on campaign_metrics (organization_id, metric_window, cpa desc nulls last, id desc)
  where cpa is not null;
create index campaign_metrics_by_roas
  on campaign_metrics (organization_id, metric_window, roas desc nulls last, id desc)
  where roas is not null;

-- What was reported before is judged at once.
insert into campaign_performance (organization_id, id, due_at, revision)
select distinct organization_id, campaign_id, now(), 1 from result_sources;
