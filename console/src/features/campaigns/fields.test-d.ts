import type { Campaign } from '../../flightdeck.ts'
import type { CampaignValues } from './form/values.ts'
import type { ownFields } from './grid/columns/column.ts'
import type { ShownField } from './grid/columns/columns.tsx'

/** Fields that only the page of the campaign shows. */
type OnPage =
  | 'approved'
  | 'archived_at'
  | 'completed_at'
  | 'deployment'
  | 'performance'
  | 'review'
  | 'status_change'
  | 'status_reason'
  | 'template_version'

/** Fields behind others: the id of a person whose name is shown. */
type Behind = 'created_by' | 'id' | 'updated_by'

type Shown = keyof CampaignValues | ShownField | (typeof ownFields)[number] | OnPage | Behind

/** The compiler checks that every field of a campaign is shown: else people would not find it. */
export const shown = (field: keyof Campaign): Shown => field
