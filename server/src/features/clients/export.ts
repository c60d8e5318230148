import type { Streamed } from '../../http/endpoint.ts'
import { type Context, nowIn } from '../../kernel/context.ts'
import { fileOf, formatIn } from '../../query/file-formats.ts'
import type { Query } from '../../query/list.ts'
import { beginLongRead, pagesOf } from '../../query/long-reads.ts'
import { timeInFileName } from '../../values/times.ts'
import { listClients } from './clients.ts'
import { Client } from './schema.ts'

const columns = Object.keys(Client.properties)

/** All matching clients, newest first, each as it is when its page is read. */
export async function exportClients(ctx: Context, query: Query): Promise<Streamed> {
  const { format: _, ...filters } = query
  const format = formatIn(query)
  const { signal, end } = beginLongRead(ctx, 'export')
  const batches = pagesOf((page) => listClients(ctx, { ...filters, ...page }), signal)
  const fileName = `clients_${ctx.organization.id}_${timeInFileName(nowIn(ctx))}.${format}`
  return { ...fileOf(format, { batches, columns }), fileName, close: end }
}
