import type { WriteContext } from '../../kernel/context.ts'
import { type Fault, fault, invalid, invalidReference } from '../../kernel/errors.ts'
import { isDeepStrictEqual } from 'node:util'
import { findOne } from '../../kernel/rows.ts'
import type { CampaignInput } from './schema.ts'
import type { Wish } from './settle.ts'

type Filled = {
  wish: Wish
  template: { template_id: string | null; template_version: number | null }
}

/** What a request leaves out comes from its template; locked fields come from nowhere else. */
export async function filledFrom(ctx: WriteContext, input: CampaignInput): Promise<Filled> {
  const { template_id, ...fields } = input
  const given = withoutNulls(fields)
  if (!template_id) return { wish: given, template: { template_id: null, template_version: null } }
  const template = await findOne(ctx, 'templates', template_id)
  if (!template) throw invalid([invalidReference('/template_id', template_id)])
  const defaults = template.defaults as Record<string, unknown>
  const faults = overridden(given, defaults, template.locked_fields)
  if (faults.length > 0) throw invalid(faults)
  return {
    wish: { ...(defaults as Wish), ...given },
    template: { template_id: template.id, template_version: template.version },
  }
}

const withoutNulls = (fields: Wish): Wish =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

function overridden(given: Wish, defaults: Record<string, unknown>, locked: string[]): Fault[] {
  return locked
    .filter((field) => field in given)
    .filter((field) => !isDeepStrictEqual(given[field as keyof Wish], defaults[field]))
    .map((field) =>
      fault(`/${field}`, 'locked_field', 'is fixed by the template', { allowed: [defaults[field]] }),
    )
}
