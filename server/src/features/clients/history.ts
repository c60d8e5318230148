import { differencesAt, type Revertible, readAsOf } from '../../history/as-of.ts'
import type { Context } from '../../kernel/context.ts'
import { keysOf } from '../../values/objects.ts'
import { getClient, updateClient } from './clients.ts'
import { type Client, ClientChanges } from './schema.ts'

export const clientHistory: Revertible<Client> = {
  type: 'client',
  table: 'clients',
  fields: keysOf(ClientChanges.properties).filter((field) => field !== 'status'),
  get: getClient,
  update: updateClient,
}

export async function clientAt(
  ctx: Context,
  id: string,
  asOf: string | undefined,
): Promise<Client> {
  const time = readAsOf(ctx, asOf)
  const present = await getClient(ctx, id)
  if (time === null) return present
  return { ...present, ...(await differencesAt<Client>(ctx, clientHistory, { present, time })) }
}
