/** Whether the database has the extension. */
export const hasCitusSql = `
  select exists (select from pg_extension where extname = 'citus') as "hasCitus"`
