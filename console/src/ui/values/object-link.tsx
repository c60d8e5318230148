import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Operation } from '../../rights.ts'
import { useMay } from '../../session.tsx'

type Place = { path: (id: string) => string; needs: Operation }

/** Where an object of each type is shown, and what one must be allowed to read to see it. */
const places: Readonly<Record<string, Place>> = {
  api_key: { path: (id) => `/api-keys/${id}`, needs: 'getApiKey' },
  campaign: { path: (id) => `/campaigns/${id}`, needs: 'getCampaign' },
  change_set: { path: (id) => `/change-sets/${id}`, needs: 'getChangeSet' },
  event: { path: (id) => `/events/${id}`, needs: 'getEvent' },
  member: { path: (id) => `/members/${id}`, needs: 'getMember' },
  organization: { path: () => '/organization', needs: 'getOrganization' },
  profile: { path: (id) => `/profiles/${id}`, needs: 'getProfile' },
  proxy: { path: (id) => `/proxies/${id}`, needs: 'getProxy' },
  template: { path: (id) => `/templates/${id}`, needs: 'getTemplate' },
  user: { path: (id) => `/members/${id}`, needs: 'getMember' },
  webhook_endpoint: { path: (id) => `/webhook-endpoints/${id}`, needs: 'getWebhookEndpoint' },
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
  return may ? <Link to={place.path(id)}>{children}</Link> : children
}
