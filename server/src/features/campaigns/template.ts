import { isDeepStrictEqual } from 'node:util'
import type { Row } from '../../database/tenant-tables.ts'
import type { WriteContext } from '../../kernel/context.ts'
import { findOne } from '../../kernel/rows.ts'
import { type Fault, fault, invalid, invalidReference } from '../../problems/problem.ts'
import {
  type CampaignDraft,
  draftFromRow,
  type NormalizedCampaign,
  normalizePartial,
} from './normalize.ts'
import type { Details } from './present.ts'
import type { CampaignInput } from './schema.ts'

/** What a campaign keeps of the template that it was made from, whatever becomes of that. */
export type TemplateFacts = Pick<
  Row<'campaigns'>,
  'template_id' | 'template_version' | 'locked_fields'
>

export const noTemplate: TemplateFacts = {
  template_id: null,
  template_version: null,
  locked_fields: [],
}

type WithTemplate = { wish: CampaignDraft; template: TemplateFacts }

/**
 * What a request leaves out comes from its template; locked fields come from nowhere else. A null
 * is not left out: it says that the field shall be empty, whatever the template has.
 */
export async function withTemplate(ctx: WriteContext, input: CampaignInput): Promise<WithTemplate> {
  const { template_id, ...given } = input
  if (!template_id) return { wish: given, template: noTemplate }
  const template = await findOne(ctx, 'templates', template_id)
  if (!template) throw invalid([invalidReference('/template_id', template_id)])
  const faults = overridden(ctx, given, template)
  if (faults.length > 0) throw invalid(faults)
  const { id, version, locked_fields } = template
  return {
    wish: { ...(template.defaults as CampaignDraft), ...given },
    template: { template_id: id, template_version: version, locked_fields },
  }
}

/** Locked fields that are given another value; the same one in another spelling is fine. */
function overridden(ctx: WriteContext, given: CampaignDraft, template: Row<'templates'>): Fault[] {
  const { minimumBudgets } = ctx.services.config
  const defaults = template.defaults as CampaignDraft
  const { part } = normalizePartial(
    { ...defaults, ...given },
    { profile: undefined, minimumBudgets },
  )
  return differs(template.locked_fields, given, { before: defaults, after: part })
}

/** The same of a change, by the locks that the campaign was made under. */
export function lockedFaults(
  row: Details,
  given: CampaignDraft,
  settled: NormalizedCampaign,
): Fault[] {
  if (row.locked_fields.length === 0) return []
  return differs(row.locked_fields, given, {
    before: draftFromRow(row),
    after: draftFromRow({ ...row, ...settled }),
  })
}

type Change = { before: CampaignDraft; after: CampaignDraft }

const differs = (
  locked: readonly string[],
  given: CampaignDraft,
  { before, after }: Change,
): Fault[] =>
  (locked as (keyof CampaignDraft)[])
    .filter((field) => field in given && !isDeepStrictEqual(after[field], before[field]))
    .map((field) =>
      fault(`/${field}`, 'locked_field', 'is fixed by the template', { allowed: [before[field]] }),
    )
