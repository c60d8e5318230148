import { queryOptions, useQuery } from '@tanstack/react-query'
import { flightdeck, type Schema } from '../../flightdeck.ts'

export type EventType = Schema<'EventTypeReference'>

/** Every event type with its schema and an example. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event_types'],
  queryFn: async () => flightdeck.reference.getEvents(),
  staleTime: Number.POSITIVE_INFINITY,
})

const noTypes: readonly EventType[] = []

export const useEventTypes = (): readonly EventType[] =>
  useQuery(eventTypesQuery).data?.data ?? noTypes

export type EventGroup = { resource: string; types: readonly EventType[] }

/** `campaign.paused` belongs to `campaign`. */
export function groupsOf(types: readonly EventType[]): readonly EventGroup[] {
  const groups = new Map<string, EventType[]>()
  for (const each of types) {
    const resource = each.type.slice(0, each.type.indexOf('.'))
    groups.set(resource, [...(groups.get(resource) ?? []), each])
  }
  return [...groups].map(([resource, types]) => ({ resource, types }))
}

/** Whether a type is one of those that patterns such as `campaign.*` stand for. */
export const isIn = (type: string, patterns: readonly string[]): boolean =>
  patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === type ||
      (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  )
