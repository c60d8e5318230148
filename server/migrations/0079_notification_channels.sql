-- Where an organization is notified what happens: mail, chats, its own receivers.
create table notification_channels (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  kind text collate "C" not null,
  name text collate "C" not null,
  name_folded text collate "C" not null,
  plain_name_folded text collate "C",
  -- What is shown of the target: an origin, or a masked address.
  shown_target text not null,
  -- The target, and the secret that signs, sealed by the master key.
  content text not null,
  events text[] not null,
  filter jsonb,
  digest text collate "C" not null,
  status text collate "C" not null,
  disabled_reason text collate "C",
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  consecutive_failures integer not null,
  failing_since timestamptz,
  paused_until timestamptz,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by text,
  updated_by text,
  sealed_under integer generated always as (sealed_under(content)) stored,
  constraint notification_channels_pkey primary key (organization_id, id),
  constraint notification_channels_organization_fkey foreign key (organization_id)
    references organizations (id),
  constraint notification_channels_master_key_fkey foreign key (sealed_under)
    references master_keys (id),
  constraint notification_channels_kind_known check (kind in ('email', 'slack', 'teams',
    'google_chat', 'webhook')),
  constraint notification_channels_digest_known check (digest in ('none', 'hourly', 'daily')),
  constraint notification_channels_status_known check (status in ('enabled', 'disabled'))
);
create index notification_channels_by_creation on notification_channels (organization_id, created_at desc, id desc);
create index notification_channels_by_update on notification_channels (organization_id, updated_at desc, id desc);
create index notification_channels_by_name on notification_channels (organization_id, name_folded, id);
create index notification_channels_sealed_under on notification_channels (sealed_under);
create index notification_channels_failing on notification_channels (failing_since)
  where failing_since is not null and status = 'enabled';

-- What a channel, or a person by mail, is to be notified, and was notified within the hour.
create table notification_messages (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  channel_id text collate "C",
  user_id text collate "C",
  type text collate "C" not null,
  object_id text collate "C" not null,
  event_id text collate "C" not null,
  content jsonb not null,
  -- How often it happened since it was notified last.
  count integer not null,
  attempts integer not null,
  created_at timestamptz not null,
  happened_at timestamptz not null,
  -- Null where all is notified.
  due_at timestamptz,
  sent_at timestamptz,
  constraint notification_messages_pkey primary key (organization_id, id),
  constraint notification_messages_channel_fkey foreign key (organization_id, channel_id)
    references notification_channels (organization_id, id) on delete cascade,
  constraint notification_messages_user_fkey foreign key (organization_id, user_id)
    references users (organization_id, id) on delete cascade,
  constraint notification_messages_to_one check ((channel_id is null) <> (user_id is null))
);
create index notification_messages_due on notification_messages (due_at) where due_at is not null;
create index notification_messages_sent on notification_messages (sent_at) where due_at is null;
create index notification_messages_by_channel on notification_messages (organization_id, channel_id, due_at);
create index notification_messages_by_person on notification_messages (organization_id, user_id, due_at);

-- Whether a mail gives way to those that someone waits for.
alter table mails add column can_wait boolean not null default false;
drop index mails_due;
create index mails_due on mails (can_wait, due_at);
