import type { Reaction } from '../../kernel/context.ts'
import { revokeKeysOf } from './api-keys.ts'

export const revokeOfDisabled: Reaction = async (ctx, before, after) => {
  if (after?.disabled === true && before?.disabled === false) await revokeKeysOf(ctx, after.id)
}

export const revokeOfDeleted: Reaction = async (ctx, before) => {
  if (before) await revokeKeysOf(ctx, before.id)
}
