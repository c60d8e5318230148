import type { Profile } from '../../flightdeck.ts'
import { Empty } from '../../ui/lists/empty.tsx'
import { CampaignsOf } from '../../ui/objects/campaigns-of.tsx'

/** The campaigns that run under it. */
export const Campaigns = ({ profile: { id, name } }: { profile: Profile }) => (
  <CampaignsOf
    of={{ profile_id: id }}
    name={name}
    empty={<Empty title="No campaigns yet">Choose this profile when you create a campaign.</Empty>}
  />
)
