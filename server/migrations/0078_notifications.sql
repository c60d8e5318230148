-- How far the events of each organization have been notified to its people.
create table notification_cursors (
  organization_id text collate "C" not null,
  sequence bigint not null,
  constraint notification_cursors_pkey primary key (organization_id),
  constraint notification_cursors_organization_fkey foreign key (organization_id)
    references organizations (id)
);

-- What a person wants to be notified, where it is not the default.
create table notification_settings (
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  approvals_waiting text collate "C" not null,
  my_change_sets text collate "C" not null,
  pacing text collate "C" not null,
  deployments text collate "C" not null,
  security text collate "C" not null,
  digest text collate "C" not null,
  updated_at timestamptz not null,
  constraint notification_settings_pkey primary key (organization_id, user_id),
  constraint notification_settings_user_fkey foreign key (organization_id, user_id)
    references users (organization_id, id) on delete cascade,
  constraint notification_settings_known check (
    approvals_waiting in ('mail', 'console', 'none') and my_change_sets in ('mail', 'console', 'none')
    and pacing in ('mail', 'console', 'none') and deployments in ('mail', 'console', 'none')
    and security in ('mail', 'console', 'none')),
  constraint notification_settings_digest_known check (digest in ('none', 'hourly', 'daily'))
);

-- The inboxes of people.
create table notifications (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  category text collate "C" not null,
  type text collate "C" not null,
  -- The object that it is about, by which a scope judges it.
  object_id text collate "C" not null,
  -- The first event of those gathered.
  event_id text collate "C" not null,
  content jsonb not null,
  count integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  read_at timestamptz,
  constraint notifications_pkey primary key (organization_id, id),
  constraint notifications_once unique (organization_id, user_id, event_id),
  constraint notifications_user_fkey foreign key (organization_id, user_id)
    references users (organization_id, id) on delete cascade,
  constraint notifications_category_known check (category in ('approvals_waiting',
    'my_change_sets', 'pacing', 'deployments', 'security'))
);
create index notifications_by_person on notifications (organization_id, user_id, created_at desc, id desc);
create index notifications_unread on notifications (organization_id, user_id, created_at desc, id desc)
  where read_at is null;
create index notifications_by_age on notifications (created_at);
