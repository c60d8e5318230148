-- Objects of networks that campaigns had before: what they spent still comes. Those of now are named by
-- the deployments.
create table former_objects (
  organization_id text collate "C" not null references organizations (id),
  profile_id text collate "C" not null,
  -- Its id in the network.
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  ended_at timestamptz not null,
  primary key (organization_id, profile_id, id),
  constraint former_objects_profile foreign key (organization_id, profile_id)
    references profiles (organization_id, id) on delete cascade,
  constraint former_objects_campaign foreign key (organization_id, campaign_id)
    references campaigns (organization_id, id) on delete cascade
);
create index former_objects_of_campaign on former_objects (organization_id, campaign_id);
