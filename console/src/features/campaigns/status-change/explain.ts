import { type Campaign, flightdeck } from '../../../flightdeck.ts'
import type { Note } from '../../../ui/layers/toast.tsx'

type Target = Pick<Campaign, 'id' | 'version'>

/** Says afterwards why: the change itself waited for nothing. */
export const reasonNote = (campaign: Target, onChanged?: (campaign: Campaign) => void): Note => ({
  name: 'Add a reason',
  label: 'Reason',
  done: 'The reason is kept',
  async save(reason) {
    const changed = await flightdeck.campaigns.explainStatus(campaign, { reason })
    onChanged?.(changed)
  },
})
