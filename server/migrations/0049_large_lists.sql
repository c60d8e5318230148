-- Indexes for lists of organizations with very many campaigns: each status in the order of creation,
-- the orders by budget and end, and filters that few campaigns meet. All but the first two are partial:
-- a new campaign without the value costs nothing.
create index campaigns_by_status on campaigns (organization_id, status, created_at desc, id desc);
create index campaigns_by_budget on campaigns (
  organization_id,
  (daily_budget_minor * power(10, 3 - currency_exponent)::bigint) desc nulls last,
  id desc
);
create index campaigns_by_end on campaigns (organization_id, end_at desc nulls last, id desc)
  where end_at is not null;
create index campaigns_by_start on campaigns (organization_id, start_at) where start_at is not null;
create index campaigns_by_reason on campaigns (organization_id, status_reason)
  where status_reason is not null;

-- Counts of a profile's campaigns read nothing else.
drop index campaigns_by_profile;
create index campaigns_by_profile on campaigns (organization_id, profile_id, status);

create index campaign_pacing_by_status on campaign_pacing (organization_id, status)
  where campaign_status in ('scheduled', 'active', 'paused');
