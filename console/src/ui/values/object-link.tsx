import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { allKinds } from '../../kinds.ts'
import { useMay } from '../../session.tsx'

type Place = NonNullable<(typeof allKinds)[number]['object']>

const places: ReadonlyMap<string, Place> = new Map(
  allKinds.flatMap(({ type, recordedAs = type, object }) =>
    object ? [[type, object] as const, [recordedAs, object] as const] : [],
  ),
)

type ObjectLinkProps = {
  /** As in events and audit records: `campaign`. */
  type: string
  id: string
  children: ReactNode
}

/** Leads to an object, where it has a screen and the role may read it. */
export function ObjectLink({ type, id, children }: ObjectLinkProps) {
  const place = places.get(type)
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
