/** Tests of what runs on Citus as well (vitest.config.ts) that do not run there, by their files, with the reason. */
export const filesNotOnCitus: Readonly<Record<string, string>> = {
  'server/src/features/campaigns/list/delivery-filter.test.ts':
    'makes hundreds of campaigns: minutes on Citus',
  'server/src/features/campaigns/status/filled.test.ts': 'runs a migration older than distributing',
  'server/src/features/clients/budgets/many.test.ts':
    'plans 12,000 budgets: minutes on Citus; the other tests of budgets run there',
  'server/src/features/events/catalogue.test.ts':
    'performs every write, as one-shard.test.ts does there: minutes on Citus',
  'server/src/features/events/stream.test.ts':
    'lets seconds pass as fast as one PostgreSQL answers; the other tests of streams run there',
  'server/src/features/events/stream-pressure.test.ts':
    'measures memory of the process, whichever database it has: a minute on Citus',
  'server/src/features/webhook-endpoints/deliveries-by-index.test.ts':
    'reads the plans of one PostgreSQL',
  'server/test/{agents/sequences,product/{as-of,change-sets,guardrails,stale-change-sets}}.test.ts':
    'play random stories: minutes on Citus',
  'server/test/replicas/taken-over.test.ts':
    'allows three seconds: a cluster on the cores of its tests takes four',
}

/** The same, by the names of single tests. */
export const testsNotOnCitus: Readonly<Record<string, string>> = {
  'a key made by a key belongs, after the migration, to the user behind both':
    'runs a migration older than distributing',
  'one or many keys are read by indexes that start with the organization':
    'reads the plans of one PostgreSQL',
  'one or many sessions are read by primary keys': 'reads the plans of one PostgreSQL',
}
