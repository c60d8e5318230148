-- Columns with a fixed set of values, which only ever held these.
alter table campaigns
  add constraint campaigns_objective_known check (objective in ('awareness', 'reach', 'traffic',
    'engagement', 'video_views', 'leads', 'app_promotion', 'conversions', 'sales')),
  add constraint campaigns_status_before_archive_known
    check (status_before_archive in ('draft', 'pending_review', 'scheduled', 'active', 'paused',
      'completed', 'archived'));
alter table profiles
  add constraint profiles_platform_known check (platform in ('google_ads', 'meta', 'tiktok',
    'linkedin', 'amazon_ads', 'microsoft_ads', 'pinterest', 'snapchat', 'reddit', 'x', 'other'));
alter table proxies
  add constraint proxies_status_known
    check (status in ('disabled', 'unchecked', 'healthy', 'degraded', 'failing'));

-- Not validated, as these may be large, and are locked meanwhile.
alter table webhook_deliveries
  add constraint webhook_deliveries_trigger_known
    check (trigger in ('auto', 'manual', 'recover', 'test')) not valid;
alter table webhook_attempts
  add constraint webhook_attempts_trigger_known
    check (trigger in ('auto', 'manual', 'recover', 'test')) not valid;
