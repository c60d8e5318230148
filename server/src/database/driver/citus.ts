import type { Statement } from './protocol.ts'

/** Whether the database has the extension. */
export const hasCitusSql = `
  select exists (select from pg_extension where extname = 'citus') as "hasCitus"`

type Extension = { hasCitus: boolean }

/** Asks once whether the database has it, and again where that failed. */
export function askedOnce(
  query: (statement: Statement) => Promise<Extension[]>,
): () => Promise<boolean> {
  let hasCitus: boolean | undefined

  return async () => {
    if (hasCitus === undefined) {
      const [found] = await query({ sql: hasCitusSql, parameters: [] })
      hasCitus = found?.hasCitus === true
    }
    return hasCitus
  }
}
