import { isDeepStrictEqual } from 'node:util'
import type { WriteContext } from '../../kernel/context.ts'
import { type Fault, fault, invalid, invalidReference } from '../../kernel/errors.ts'
import { findOne, type Row } from '../../kernel/rows.ts'
import type { CampaignInput } from './schema.ts'
import { settlePart, type Wish } from './settle.ts'

type Filled = {
  wish: Wish
  template: { template_id: string | null; template_version: number | null }
}

/**
 * What a request leaves out comes from its template; locked fields come from nowhere else. A null
 * is not left out: it says that the field shall be empty, whatever the template has.
 */
export async function filledFrom(ctx: WriteContext, input: CampaignInput): Promise<Filled> {
  const { template_id, ...given } = input
  if (!template_id) return { wish: given, template: { template_id: null, template_version: null } }
  const template = await findOne(ctx, 'templates', template_id)
  if (!template) throw invalid([invalidReference('/template_id', template_id)])
  const faults = overridden(ctx, given, template)
  if (faults.length > 0) throw invalid(faults)
  return {
    wish: { ...(template.defaults as Wish), ...given },
    template: { template_id: template.id, template_version: template.version },
  }
}

/** What a change overrides of the template, as that is now. One that is gone locks nothing. */
export async function lockedFaults(
  ctx: WriteContext,
  { template_id }: Pick<Row<'campaigns'>, 'template_id'>,
  given: Wish,
): Promise<Fault[]> {
  if (template_id === null || Object.keys(given).length === 0) return []
  const template = await findOne(ctx, 'templates', template_id)
  return template ? overridden(ctx, given, template) : []
}

/** Locked fields that are given another value; the same one in another spelling is fine. */
function overridden(ctx: WriteContext, given: Wish, template: Row<'templates'>): Fault[] {
  const { minimumBudgets } = ctx.services.config
  const defaults = template.defaults as Wish
  const { part } = settlePart({ ...defaults, ...given }, { profile: undefined, minimumBudgets })
  return (template.locked_fields as (keyof Wish)[])
    .filter((field) => field in given && !isDeepStrictEqual(part[field], defaults[field]))
    .map((field) =>
      fault(`/${field}`, 'locked_field', 'is fixed by the template', {
        allowed: [defaults[field]],
      }),
    )
}
