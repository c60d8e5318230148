import { useMay } from '../../session.tsx'
import { SubNav } from '../../ui/subnav.tsx'

const organization = { to: '/organization', name: 'Organization' } as const
const channels = {
  to: '/organization/notification-channels',
  name: 'Notification channels',
} as const
const singleSignOn = { to: '/organization/single-sign-on', name: 'Single sign-on' } as const

/** The organization, where it is notified, and how its people log in, for those who may see that. */
export function OrganizationSections() {
  const mayNotify = useMay('listNotificationChannels')
  const maySetUp = useMay('getSso')
  const more = [...(mayNotify ? [channels] : []), ...(maySetUp ? [singleSignOn] : [])]
  return more.length > 0 && <SubNav label="Organization" screens={[organization, ...more]} />
}
