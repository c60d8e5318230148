import { lazy } from '../../concurrency/lazy.ts'
import { endpoint, type Feature, liveEndpoint } from '../../http/endpoint.ts'
import type { EventTypes } from '../../kernel/event-types.ts'
import { filterParameters, listParameters } from '../../query/list.ts'
import { catalogueOf } from './catalogue.ts'
import { eventListOf, getEvent, listEvents } from './events.ts'
import { purgeEvents } from './retention.ts'
import { Event, EventList, EventTypeList } from './schema.ts'
import { streamEvents } from './stream.ts'
import { typeFilter } from './types.ts'
import { visibilityOf } from './visible.ts'

const tag = 'Events'

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

/** One catalogue at two paths: with the events and with the other reference data. */
const aboutTypes = {
  summary: 'List event types',
  description:
    'Every event type, with the JSON Schema of its object and an example. New types may be added; ignore unknown ones.',
  method: 'GET',
  permission: 'self.use',
  reply: EventTypeList,
} as const

/** Built last: it lists the event types of all features. */
export function eventsAbout(eventTypes: readonly EventTypes[]): Feature {
  const known = eventTypes.flatMap(({ types }) => Object.keys(types))
  const list = eventListOf(known)
  const visibleTo = visibilityOf(eventTypes)
  const catalogue = lazy(() => ({ data: catalogueOf(eventTypes) }))
  return {
    endpoints: [
      endpoint({
        operation: 'listEvents',
        tag,
        summary: 'List events',
        description: `Newest first; \`sort=sequence\` for oldest first. Events are kept for 30 days. ${rights}`,
        method: 'GET',
        path: '/events',
        permission: 'events.read',
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
        permission: 'events.read',
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
        permission: 'events.read',
        reply: Event,
        run: (ctx, { id }) => getEvent(ctx, id, visibleTo),
      }),
      endpoint({
        ...aboutTypes,
        operation: 'listEventTypes',
        tag,
        path: '/event_types',
        run: async () => catalogue(),
      }),
      endpoint({
        ...aboutTypes,
        operation: 'getReferenceEvents',
        tag: 'Reference',
        path: '/reference/events',
        run: async () => catalogue(),
      }),
    ],
    jobs: [{ name: 'events.purge', cron: '53 * * * *', run: purgeEvents }],
  }
}
