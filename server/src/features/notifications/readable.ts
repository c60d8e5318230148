import { type Holder, may, type Permission } from '../../identity/permissions.ts'
import type { EventTypes } from '../../kernel/event-types.ts'

/** The right to read the events of each type. */
export type Readable = ReadonlyMap<string, Permission>

export const readableOf = (eventTypes: readonly EventTypes[]): Readable =>
  new Map(
    eventTypes.flatMap(({ types, permission }) =>
      Object.keys(types).map((type) => [type, permission] as const),
    ),
  )

/** Notified to who made the receiver, whatever has become of the role. */
const ofMakers = new Set(['webhook_endpoint.disabled', 'notification_channel.disabled'])

/** The types of events that a person may be shown at present. */
export const mayBeShown = (holder: Holder, readable: Readable): string[] =>
  [...readable].flatMap(([type, permission]) =>
    ofMakers.has(type) || may(holder, permission) ? [type] : [],
  )
