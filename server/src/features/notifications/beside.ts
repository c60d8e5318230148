import type { Transaction } from '../../database/database.ts'
import type { Context } from '../../kernel/context.ts'

/** Writes beside the audit log: what someone is notified is no change of what an organization has. */
export const writeBeside = <T>(ctx: Context, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  ctx.services.database.transaction(work)
