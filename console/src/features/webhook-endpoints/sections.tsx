import { SubNav } from '../../ui/subnav.tsx'

export const Sections = () => (
  <SubNav
    label="Webhooks"
    screens={[
      { to: '/webhook-endpoints', name: 'Endpoints' },
      { to: '/deliveries', name: 'Deliveries' },
    ]}
  />
)
