import type { Reaction } from '../../kernel/context.ts'
import { revokeKeysOf } from './api-keys.ts'

/** The part of a member needed here; features do not import each other. */
type Maker = { id: string; disabled: boolean }

export const revokeOfDisabled: Reaction = async (ctx, before, after) => {
  const [was, is] = [before as Maker, after as Maker]
  if (is.disabled && !was.disabled) await revokeKeysOf(ctx, is.id)
}

export const revokeOfDeleted: Reaction = (ctx, before) => revokeKeysOf(ctx, (before as Maker).id)
