import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ObjectPath } from '../../data/address.ts'
import type { Operation } from '../../rights.ts'
import { useMay } from '../../session.tsx'

type Place = { to: ObjectPath | '/organization'; needs: Operation }

/** Where an object of each type is shown, and what one must be allowed to read to see it. */
const places: Readonly<Record<string, Place>> = {
  api_key: { to: '/api-keys/$id', needs: 'getApiKey' },
  campaign: { to: '/campaigns/$id', needs: 'getCampaign' },
  change_set: { to: '/change-sets/$id', needs: 'getChangeSet' },
  event: { to: '/events/$id', needs: 'getEvent' },
  member: { to: '/members/$id', needs: 'getMember' },
  organization: { to: '/organization', needs: 'getOrganization' },
  profile: { to: '/profiles/$id', needs: 'getProfile' },
  proxy: { to: '/proxies/$id', needs: 'getProxy' },
  template: { to: '/templates/$id', needs: 'getTemplate' },
  user: { to: '/members/$id', needs: 'getMember' },
  webhook_endpoint: { to: '/webhook-endpoints/$id', needs: 'getWebhookEndpoint' },
}

type ObjectLinkProps = {
  /** As in events and audit records: `campaign`. */
  type: string
  id: string
  children: ReactNode
}

/** Leads to an object, where it has a screen and the role may read it. */
export function ObjectLink({ type, id, children }: ObjectLinkProps) {
  const place = places[type]
  return place ? (
    <PlaceLink place={place} id={id}>
      {children}
    </PlaceLink>
  ) : (
    children
  )
}

type PlaceLinkProps = { place: Place; id: string; children: ReactNode }

function PlaceLink({ place, id, children }: PlaceLinkProps) {
  const may = useMay(place.needs)
  return may ? (
    <Link to={place.to} params={{ id }}>
      {children}
    </Link>
  ) : (
    children
  )
}
