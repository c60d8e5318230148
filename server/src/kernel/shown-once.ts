import type { Context, WriteContext } from './context.ts'
import { inTransaction } from './transaction.ts'

/** Outside a transaction: a result returned inside one would be stored. */
type Outside = Context & { readonly tx?: never }

/**
 * Runs `work` in a transaction and returns `kept` merged with `shown`. The stored reply has nulls
 * in place of `shown`, so a replay never repeats a secret.
 */
export async function showOnce<Kept extends object, Shown extends object>(
  ctx: Outside,
  work: (ctx: WriteContext) => Promise<{ kept: Kept; shown: Shown }>,
): Promise<Kept & Shown> {
  // Holds the secret of the attempt that is committed in the end.
  const attempt: { shown?: Shown } = {}
  const kept = await inTransaction(ctx, async (ctx) => {
    const done = await work(ctx)
    attempt.shown = done.shown
    return { ...done.kept, ...nullsFor(done.shown) }
  })
  if (!attempt.shown) throw new Error('committed without a result')
  return { ...kept, ...attempt.shown }
}

const nullsFor = (shown: object): object =>
  Object.fromEntries(Object.keys(shown).map((name) => [name, null]))
