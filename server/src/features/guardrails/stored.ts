import type { Guardrails } from '../../database/tables/json-columns.ts'
import type { Context } from '../../kernel/context.ts'

/** The organization's rules; null where it has set none. */
export async function storedRules(ctx: Context): Promise<Guardrails | null> {
  const row = await ctx.reader
    .kysely()
    .selectFrom('guardrails')
    .select('rules')
    .where('organization_id', '=', ctx.organization.id)
    .executeTakeFirst()
  return row?.rules ?? null
}
