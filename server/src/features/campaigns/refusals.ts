import type { Constraints } from '../../http/endpoint.ts'
import { conflict } from '../../kernel/errors.ts'

/** What the database refuses, in words. */
export const campaignRefusals: Constraints = {
  campaigns_external_id_key: () =>
    conflict('external_id_taken', 'Another campaign has this external_id.'),
}

/** What somebody else must see first. */
export const unapproved = (
  current: Record<string, unknown>,
  detail = 'The campaign needs an approval first: submit it.',
) => conflict('approval_required', detail, { ...current, allowed_actions: ['submit'] })
