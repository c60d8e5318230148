-- Saved filters, order and columns of lists, of one person or of the organization.
create table views (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  resource text collate "C" not null,
  name text collate "C" not null,
  name_folded text collate "C" not null,
  plain_name_folded text collate "C",
  query text not null,
  columns text[] not null,
  -- Of the organization; otherwise of its author alone.
  shared boolean not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The author.
  created_by text,
  updated_by text,
  constraint views_pkey primary key (organization_id, id),
  constraint views_organization_fkey foreign key (organization_id) references organizations (id),
  constraint views_resource_known check (resource in ('campaigns', 'pacing', 'results',
    'deployments', 'change_sets', 'clients', 'profiles', 'templates', 'reports')),
  constraint views_query_fits check (octet_length(query) <= 4096),
  constraint views_columns_fit check (cardinality(columns) <= 50)
);
create index views_by_creation on views (organization_id, created_at desc, id desc);
create index views_by_update on views (organization_id, updated_at desc, id desc);
create index views_by_name on views (organization_id, name_folded, id);
create index views_by_author on views (organization_id, created_by);
