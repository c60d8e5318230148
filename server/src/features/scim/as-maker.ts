import type { Context } from '../../kernel/context.ts'

/**
 * The rights over members that the key has: those of who made it. Directories know no versions, so that
 * the organization cannot ask them for If-Match.
 */
export const asMaker = (ctx: Context): Context => ({
  ...ctx,
  role: ctx.makerRole ?? 'owner',
  ifMatch: '*',
})
