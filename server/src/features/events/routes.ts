import { lazy } from '../../concurrency/lazy.ts'
import { type Endpoint, endpoint, liveEndpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { readReference } from '../../identity/permissions.ts'
import type { EventTypes } from '../../kernel/event-types.ts'
import { filterParameters, listParameters } from '../../query/list.ts'
import { eventIds } from '../../values/core-ids.ts'
import { tag as referenceTag } from '../reference/resource.ts'
import { type Catalogue, catalogueOf, inFull, selected } from './catalogue.ts'
import { eventListOf, getEvent, listEvents } from './events.ts'
import { readEvents, tag } from './resource.ts'
import { purgeEvents } from './retention.ts'
import { Event, EventCatalogue, EventList, EventTypeList } from './schema.ts'
import { streamEvents } from './stream.ts'
import { typeFilter, typesIn } from './types.ts'
import { type VisibleTo, visibilityOf } from './visible.ts'

const streamDescription = `Server-sent events (\`text/event-stream\`, UTF-8), each as it is committed:

\`\`\`text
id: evt_01m7ykxs9te009w20gdq6ytgpr
event: campaign.paused
data: {"id":"evt_01m7ykxs9te009w20gdq6ytgpr","type":"campaign.paused",…}
\`\`\`

\`data\` is the event as returned by GET /events/{id}, on one line. Send the last \`id\` as \`Last-Event-ID\` to resume after it, without loss or repetition. An unknown id, or one older than 30 days, is 400: use GET /events. Blocks with an \`id\` but no \`data\` only advance that id.

Lines that begin with a colon are comments: \`: heartbeat\` after 15 seconds of silence, and \`: end <code>\` before the service ends the stream, with the code that a new request would get (because of the token, the role or the organization), or \`shutting_down\`. A client that reads nothing for 60 seconds is disconnected.

Events of what the caller may not read are passed over, by the role that it has at the moment.

An open stream counts as one request. One over the organization’s number of open streams is 409 \`limit_exceeded\`.`

const rights =
  'Events of a resource require permission to read it: editors see no events of members, API keys, webhook endpoints and the organization’s guardrails.'

const aboutTypes =
  'Every event type, with the JSON Schema of its object and an example. New types may be added; ignore unknown ones.'

/** Built last: it lists the event types of all features. */
export function eventsAbout(eventTypes: readonly EventTypes[]): Feature {
  const known = eventTypes.flatMap(({ types }) => Object.keys(types))
  const visibleTo = visibilityOf(eventTypes)
  const catalogue = lazy(() => catalogueOf(eventTypes))
  return {
    tag,
    permissions: [readEvents],
    ids: { events: eventIds },
    tables: [{ name: 'events', isSequenced: true }],
    endpoints: [...reading(known, visibleTo), ...describing(known, catalogue)],
    jobs: [{ name: 'events.purge', cron: '53 * * * *', run: purgeEvents }],
  }
}

function reading(known: readonly string[], visibleTo: VisibleTo): Endpoint[] {
  const list = eventListOf(known)
  return [
    endpoint({
      operation: 'listEvents',
      tag,
      summary: 'List events',
      description: `Newest first; \`sort=sequence\` for oldest first. Events are kept for 30 days. ${rights}`,
      method: 'GET',
      path: '/events',
      permission: readEvents,
      query: listParameters(list),
      reply: EventList,
      run: (ctx, { query }) => listEvents(ctx, { list, query, visibleTo }),
    }),
    liveEndpoint({
      operation: 'streamEvents',
      tag,
      summary: 'Stream events as they happen',
      description: streamDescription,
      method: 'GET',
      path: '/events/stream',
      permission: readEvents,
      query: filterParameters({ type: typeFilter(known) }),
      streams: ['text/event-stream'],
      problems: ['limit_exceeded'],
      run: (ctx, { query, ...live }) => streamEvents(ctx, { query, known, visibleTo, ...live }),
    }),
    endpoint({
      operation: 'getEvent',
      tag,
      summary: 'Get an event',
      description: rights,
      method: 'GET',
      path: '/events/:id',
      permission: readEvents,
      reply: Event,
      run: (ctx, { id }) => getEvent(ctx, id, visibleTo),
    }),
  ]
}

function describing(known: readonly string[], catalogue: () => Catalogue): Endpoint[] {
  const wholeCatalogue = lazy(() => ({ data: inFull(catalogue()) }))
  return [
    endpoint({
      operation: 'listEventTypes',
      tag,
      summary: 'List event types with their whole schemas',
      description:
        'The same as GET /reference/events, with each schema in full: more than twice as long.',
      method: 'GET',
      path: '/event_types',
      permission: readReference,
      deprecated: { since: '2026-11-22', successor: '/api/v1/reference/events' },
      reply: EventTypeList,
      run: async () => wholeCatalogue(),
    }),
    endpoint({
      operation: 'getReferenceEvents',
      tag: referenceTag,
      summary: 'List event types',
      description: aboutTypes,
      method: 'GET',
      path: '/reference/events',
      permission: readReference,
      query: filterParameters({ type: typeFilter(known) }),
      reply: EventCatalogue,
      run: async (_, { query }) => selected(catalogue(), typesIn(query.type, known)),
    }),
  ]
}
