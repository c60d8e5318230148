import type { Transaction } from '../../database/database.ts'
import type { Statement } from '../../database/driver/protocol.ts'
import type { Context, Services } from '../../kernel/context.ts'

/** Writes beside the audit log: what someone is notified is no change of what an organization has. */
export const writeBeside = <T>(ctx: Context, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  ctx.services.database.transaction(work)

/** One statement over all organizations. */
export const sendToAll = ({ database }: Services, statement: Statement): Promise<void> =>
  database.transaction(async (tx) => tx.send(statement))
