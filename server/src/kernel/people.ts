import { isId } from '../values/ids.ts'
import type { Context } from './context.ts'
import { findOne } from './rows.ts'

/** Whether both ids, of users or API keys, belong to the same person. */
export async function isSamePerson(
  ctx: Context,
  one: string | null,
  other: string | null,
): Promise<boolean> {
  if (one === null || other === null) return false
  if (one === other) return true
  const [first, second] = await Promise.all([personBehind(ctx, one), personBehind(ctx, other)])
  return first === second
}

/** The user who created an API key; a key from the command line has only itself. */
async function personBehind(ctx: Context, id: string): Promise<string> {
  if (!isId('api_key', id)) return id
  return (await findOne(ctx, 'api_keys', id))?.maker_id ?? id
}
