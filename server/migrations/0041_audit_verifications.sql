-- How far each organization's chain has been verified, and where it was found broken. A row is made by
-- the first verification.
create table audit_verifications (
  organization_id text collate "C" not null,
  due_at timestamptz not null,
  verified_at timestamptz not null,
  sequence bigint not null,
  broken_at bigint,
  constraint audit_verifications_pkey primary key (organization_id),
  constraint audit_verifications_organization_fkey
    foreign key (organization_id) references organizations (id)
);

create index audit_verifications_due on audit_verifications (due_at);
create index audit_verifications_broken on audit_verifications (organization_id)
  where broken_at is not null;
