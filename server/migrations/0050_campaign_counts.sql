-- How many campaigns there are, by what totals and profiles ask for. Each change of a campaign keeps
-- them right in its transaction; rows with no campaigns may stay.
create table campaign_counts (
  organization_id text collate "C" not null,
  profile_id text collate "C" not null,
  status text collate "C" not null,
  objective text collate "C" not null,
  currency text collate "C" not null,
  campaigns integer not null,
  constraint campaign_counts_pkey
    primary key (organization_id, profile_id, status, objective, currency),
  constraint campaign_counts_organization_fkey
    foreign key (organization_id) references organizations (id)
) with (fillfactor = 50);

insert into campaign_counts
select organization_id, profile_id, status, objective, currency, count(*)
from campaigns
group by 1, 2, 3, 4, 5;

-- A sample of each organization's rows, whose ids end at random: totals of very many are estimated by it.
create index campaigns_sampled on campaigns (organization_id) where right(id, 1) = '0';
create index campaign_pacing_sampled on campaign_pacing (organization_id) where right(id, 1) = '0';
create index events_sampled on events (organization_id) where right(id, 1) = '0';
create index audit_logs_sampled on audit_logs (organization_id) where right(id, 1) = '0';
