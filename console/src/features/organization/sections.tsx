import { useMay } from '../../session.tsx'
import { SubNav } from '../../ui/subnav.tsx'

/** The organization, and where it is notified, for those who may see that. */
export const OrganizationSections = () =>
  useMay('listNotificationChannels') && (
    <SubNav
      label="Organization"
      screens={[
        { to: '/organization', name: 'Organization' },
        { to: '/organization/notification-channels', name: 'Notification channels' },
      ]}
    />
  )
