import { isDeepStrictEqual } from 'node:util'
import type { Row } from '../../../database/tables/tenant-tables.ts'
import type { WriteContext } from '../../../kernel/context.ts'
import { findOne } from '../../../kernel/rows.ts'
import { type Fault, fault } from '../../../problems/fault.ts'
import { invalid, invalidReference } from '../../../problems/problem.ts'
import { hasKey } from '../../../values/objects.ts'
import type { Details } from '../present.ts'
import type { CampaignInput } from '../schema.ts'
import {
  type CampaignDraft,
  draftFromRow,
  type NormalizedCampaign,
  normalizePartial,
} from './normalize.ts'

/** Copied to the campaign; later template edits do not apply. */
export type TemplateFacts = Pick<
  Row<'campaigns'>,
  'template_id' | 'template_version' | 'locked_fields'
>

export const noTemplate: TemplateFacts = {
  template_id: null,
  template_version: null,
  locked_fields: [],
}

type WithTemplate = { draft: CampaignDraft; template: TemplateFacts }

/**
 * Fills omitted fields from the template; locked fields come from it only. Null counts as sent: the
 * field stays empty whatever the template has.
 */
export async function withTemplate(ctx: WriteContext, input: CampaignInput): Promise<WithTemplate> {
  const { template_id, ...sent } = input
  if (!template_id) return { draft: sent, template: noTemplate }
  const template = await findOne(ctx, 'templates', template_id)
  if (!template) throw invalid([invalidReference('/template_id', template_id)])
  const faults = overridden(ctx, sent, template)
  if (faults.length > 0) throw invalid(faults)
  const { id, version, locked_fields } = template
  return {
    draft: { ...template.defaults, ...sent },
    template: { template_id: id, template_version: version, locked_fields },
  }
}

/** Locked fields sent with a different value; another spelling of the same value is accepted. */
function overridden(ctx: WriteContext, sent: CampaignDraft, template: Row<'templates'>): Fault[] {
  const { minimumBudgets } = ctx.services.config
  const { defaults } = template
  const { part } = normalizePartial(
    { ...defaults, ...sent },
    { profile: undefined, minimumBudgets },
  )
  return differs(template.locked_fields, sent, { before: defaults, after: part })
}

/** The same for a change, under the locks in force when the campaign was created. */
export function lockedFaults(
  row: Details,
  sent: CampaignDraft,
  normalized: NormalizedCampaign,
): Fault[] {
  if (row.locked_fields.length === 0) return []
  return differs(row.locked_fields, sent, {
    before: draftFromRow(row),
    after: draftFromRow({ ...row, ...normalized }),
  })
}

type DraftChange = { before: CampaignDraft; after: CampaignDraft }

const differs = (
  locked: readonly string[],
  sent: CampaignDraft,
  { before, after }: DraftChange,
): Fault[] =>
  locked
    .filter((field) => hasKey(sent, field))
    .filter((field) => !isDeepStrictEqual(after[field], before[field]))
    .map((field) =>
      fault(`/${field}`, 'locked_field', 'is fixed by the template', { allowed: [before[field]] }),
    )
