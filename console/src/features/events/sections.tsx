import { SubNav } from '../../ui/subnav.tsx'

export const Sections = () => (
  <SubNav
    label="Events"
    screens={[
      { to: '/events', name: 'What happens' },
      { to: '/event-types', name: 'Catalogue' },
    ]}
  />
)
