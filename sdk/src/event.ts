import type { EventObjects } from './event-objects.ts'
import type { components } from './openapi.ts'

type Actor = components['schemas']['AuditLog']['actor']

type EventOf<Type extends keyof EventObjects> = {
  /** `evt_…`: the same in every attempt and in `GET /events`. */
  id: string
  type: Type
  /** When it happened: RFC 3339, UTC. */
  timestamp: string
  api_version: 'v1'
  organization_id: string
  /** Numbers the organization's events from 1 without gaps; null for a test. */
  sequence: number | null
  request_id: string | null
  actor: Actor
  test: boolean
  data: {
    /** As the API showed it right after the change; for a deletion, right before. */
    object: EventObjects[Type]
    /** The former values of the changed fields; null when the object was created or deleted. */
    previous: Partial<EventObjects[Type]> | null
  }
}

/**
 * An event, as streams and webhooks carry it. Narrow by `event.type` to get the type of `event.data.object`. A newer
 * service sends types that are not listed here: ignore those.
 */
export type FlightdeckEvent = { [Type in keyof EventObjects]: EventOf<Type> }[keyof EventObjects]
