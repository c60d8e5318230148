import type { EventObjects } from './event-objects.ts'
import type { components } from './openapi.ts'

type Actor = components['schemas']['AuditLog']['actor']

type EventOf<Type extends keyof EventObjects> = {
  /** `evt_…`: the same in every attempt, and in `GET /events`. */
  id: string
  type: Type
  /** When it happened: RFC 3339, UTC. */
  timestamp: string
  api_version: 'v1'
  organization_id: string
  /** Counts the organization's events from 1 without gaps; null for a test. */
  sequence: number | null
  request_id: string | null
  actor: Actor
  test: boolean
  data: {
    /** As the API represented it right after; of something deleted, right before. */
    object: EventObjects[Type]
    /** The former values of the fields that changed; null where there was nothing, or all is gone. */
    previous: Partial<EventObjects[Type]> | null
  }
}

/**
 * The body of a webhook: `event.type === 'campaign.paused'` tells what `event.data.object` is. A
 * newer service sends types that are not listed here: let pass what you do not know.
 */
export type WebhookEvent = { [Type in keyof EventObjects]: EventOf<Type> }[keyof EventObjects]
