-- The simulated network is a platform of sandboxes.
alter table profiles drop constraint profiles_platform_known;
alter table profiles add constraint profiles_platform_known check (platform in ('google_ads', 'meta',
  'tiktok', 'linkedin', 'amazon_ads', 'microsoft_ads', 'pinterest', 'snapchat', 'reddit', 'x', 'sim',
  'other'));
