import type pg from 'pg'
import { type Ending, endingOf } from '../../concurrency/ending.ts'
import {
  type Connections,
  newState,
  scopeOf,
  type TransactionWork,
  transactionOf,
} from './transaction.ts'

/** Thrown where work among others needs a transaction of its own. */
export class NeedsOwn extends Error {}

const noInteractive = (): pg.Pool => {
  throw new NeedsOwn('needs a transaction of its own')
}

/**
 * Runs works at once, none of which may read after it has written, and commits as one those of what
 * `choose` returns; it may still send. Answers how each work ended, and throws if the commit fails.
 */
export async function transactTogether<T>(
  { reads, commit }: Pick<Connections, 'reads' | 'commit'>,
  works: readonly TransactionWork<T>[],
  choose: (done: readonly T[]) => ReadonlySet<T>,
): Promise<Ending<T>[]> {
  const reader = await reads()
  const parts = works.map((work) => ({ work, state: newState() }))
  const endings = await Promise.all(
    parts.map(({ work, state }) =>
      endingOf(work(transactionOf(scopeOf(state, noInteractive), reader))),
    ),
  )
  const chosen = choose(endings.flatMap((ending) => ('value' in ending ? [ending.value] : [])))
  const all = parts.flatMap(({ state }, at) => {
    const ending = endings[at]
    return ending && 'value' in ending && chosen.has(ending.value) ? [state.pending] : []
  })
  if (all.some(({ length }) => length > 0)) await commit(all)
  return endings
}
