import type { components } from './openapi.ts'

type Schemas = components['schemas']

/** What an event is about, by the first part of its type. */
type Resources = {
  campaign: Schemas['Campaign']
  member: Schemas['Member']
  organization: Schemas['Organization']
  profile: Schemas['Profile']
  proxy: Schemas['Proxy']
  template: Schemas['Template']
  webhook_endpoint: Schemas['WebhookEndpoint']
}

type EventOf<Type extends string, Resource> = {
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
  actor: Schemas['AuditLog']['actor']
  test: boolean
  data: {
    /** As the API represented it right after; of something deleted, right before. */
    object: Resource
    /** The former values of the fields that changed; null where there was nothing, or all is gone. */
    previous: Partial<Resource> | null
  }
}

/**
 * The body of a webhook: `event.type === 'campaign.paused'` tells what `event.data.object` is. A
 * newer service sends types that are not listed here: let pass what you do not know.
 */
export type WebhookEvent = {
  [Name in keyof Resources]: EventOf<`${Name}.${string}`, Resources[Name]>
}[keyof Resources]
