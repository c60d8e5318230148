/** Files that ask Citus otherwise than one PostgreSQL, with the reason. */
export const differences: Readonly<Record<string, string>> = {
  'server/src/database/database.ts':
    'reads by key gather by conditions: Citus cannot join keys with rows of several shards',
  'server/src/database/transactions/atomic.ts':
    'several statements are a transaction block, as Citus commits each of them alone without one; inserts stay apart, as their rows could be on several machines',
  'server/src/database/transactions/reads-of-all.ts':
    'reads of all organizations go to each shard where a machine is lost: Citus fails them as a whole',
  'server/src/database/transactions/reads-together.ts':
    'each transaction reads by itself: a lost machine would hold up the reads of others',
  'server/src/database/upkeep/purge.ts':
    'rows are deleted tenant by tenant: Citus locks rows of one shard only, where alone a `ctid` means one row',
  'server/src/delivery/due.ts': 'due deliveries are grouped: Citus has no recursion over shards',
  'server/src/features/campaigns/profile-facts.ts':
    'a campaign is read by two statements: planning its view takes a worker longer than both',
  'server/src/identity/api-key-states.ts':
    'each key is read alone: those of several tenants are on several shards',
  'server/src/identity/api-keys.ts':
    'uses are noted tenant by tenant: Citus locks rows of one shard only, and computes no time from a column in an update',
  'server/src/identity/session-states.ts':
    'each session is read alone: those of several tenants are on several shards',
  'server/src/observability/shards.ts': 'only Citus has nodes and shards to count',
}
