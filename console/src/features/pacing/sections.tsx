import { SubNav } from '../../ui/subnav.tsx'

export const Sections = () => (
  <SubNav
    label="Pacing of"
    screens={[
      { to: '/pacing', name: 'Campaigns' },
      { to: '/pacing/clients', name: 'Clients' },
    ]}
  />
)
