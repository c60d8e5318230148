import type { Context, WriteContext } from './context.ts'
import { inTransaction } from './transaction.ts'

/** Not yet in a transaction: what is returned within one is kept. */
type Outside = Context & { readonly tx?: never }

/**
 * Runs `work` in a transaction, and answers what it has kept with what it shows. What is kept for a
 * replay has nulls in the place of what is shown: secrets are told once.
 */
export async function showOnce<Kept extends object, Shown extends object>(
  ctx: Outside,
  work: (ctx: WriteContext) => Promise<{ kept: Kept; shown: Shown }>,
): Promise<Kept & Shown> {
  let shown: object = {}
  const kept = await inTransaction(ctx, async (ctx) => {
    const done = await work(ctx)
    shown = done.shown
    return { ...done.kept, ...nullsFor(done.shown) }
  })
  // Whoever comes here has run the work, the last time with what was committed.
  return { ...kept, ...shown } as Kept & Shown
}

const nullsFor = (shown: object): object =>
  Object.fromEntries(Object.keys(shown).map((name) => [name, null]))
