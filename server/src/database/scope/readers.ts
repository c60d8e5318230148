import type { Reader } from '../database.ts'
import type { Scope } from '../tables/json-columns.ts'
import { readonlyKyselyOver } from '../tables/kysely.ts'
import { scopedQuery } from './scoped-query.ts'

export type Readers = {
  /** Reads what the caller sees: the only way to rows for verbs. */
  readonly reader: Reader
  /** Reads all, for `whole()`. */
  readonly wholeReader: Reader
}

/** A caller, and the scope that its reads go through. */
export type Seeing = {
  readonly organization: { readonly id: string }
  readonly actor: { readonly id: string | null }
  readonly scope: Scope | null
}

/** The readers of a caller over one that reads all. */
export function readersOf(wholeReader: Reader, { organization, actor, scope }: Seeing): Readers {
  if (!scope) return { reader: wholeReader, wholeReader }
  const holder = { organizationId: organization.id, personId: actor.id, scope }
  const query = scopedQuery(wholeReader.query, holder)
  let kysely: ReturnType<Reader['kysely']> | undefined
  const lazily = () => {
    kysely ??= readonlyKyselyOver(query)
    return kysely
  }
  return { reader: { kysely: lazily, query }, wholeReader }
}

/** The same context over another reader, which reads all. */
export const withReader = <Seen extends Seeing>(
  ctx: Seen,
  wholeReader: Reader,
): Seen & Readers => ({
  ...ctx,
  ...readersOf(wholeReader, ctx),
})

/** The same caller with another scope, such as whom the service acts for. */
export const withScope = <Seen extends Seeing & Readers>(ctx: Seen, scope: Scope | null): Seen => ({
  ...ctx,
  scope,
  ...readersOf(ctx.wholeReader, { ...ctx, scope }),
})

/**
 * Without scope: for what the service itself has to know of the organization, such as sums that caps
 * bound. What it reads must not reach the caller.
 */
export const whole = <Seen extends Seeing & Readers>(ctx: Seen): Seen =>
  ctx.scope ? withScope(ctx, null) : ctx
