import { type Holder, may } from '../../identity/permissions.ts'
import type { EventTypes } from '../../kernel/event-types.ts'

/** The event types a holder may see; null is all of them. */
export type VisibleTo = (holder: Holder) => ReadonlySet<string> | null

/**
 * Seeing an event requires permission to read its resource. Used by the list, the single event and
 * the stream.
 */
export function visibilityOf(eventTypes: readonly EventTypes[]): VisibleTo {
  return (holder) => {
    const readable = eventTypes.filter(({ permission }) => may(holder, permission))
    if (readable.length === eventTypes.length) return null
    return new Set(readable.flatMap(({ types }) => Object.keys(types)))
  }
}
