-- Pacing by what it has of its campaign: for filters by status, profile and client, and their totals.
create index campaign_pacing_by_profile on campaign_pacing (organization_id, campaign_status, profile_id)
  where campaign_status in ('scheduled', 'active', 'paused');
