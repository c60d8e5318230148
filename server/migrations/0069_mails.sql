-- Mails that wait to be sent; each goes when it is sent, or after a day.
create table mails (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  -- Address and content, sealed by the master key.
  content text not null,
  attempts integer not null,
  due_at timestamptz not null,
  created_at timestamptz not null,
  sealed_under integer generated always as (sealed_under(content)) stored,
  constraint mails_pkey primary key (organization_id, id),
  constraint mails_organization_fkey foreign key (organization_id) references organizations (id),
  constraint mails_master_key_fkey foreign key (sealed_under) references master_keys (id)
);
create index mails_due on mails (due_at);
create index mails_sealed_under on mails (sealed_under);
