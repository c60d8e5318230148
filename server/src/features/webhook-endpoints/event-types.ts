import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { userIds } from '../members/resource.ts'
import { manageWebhookEndpoints, webhookEndpointIds } from './resource.ts'
import { WebhookEndpoint } from './schema.ts'

const earlier = '2026-11-21T09:00:00.000Z'
const now = '2026-11-21T09:30:00.000Z'

const example: WebhookEndpoint = {
  id: exampleId(webhookEndpointIds),
  url: 'https://example.com',
  events: ['campaign.*'],
  description: 'CRM',
  metadata: {},
  status: 'enabled',
  disabled_reason: null,
  last_success_at: earlier,
  last_failure_at: null,
  consecutive_failures: 0,
  secret_hint: 'vcI=',
  previous_secret_expires_at: null,
  version: 2,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: now,
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
}

const failing = { last_failure_at: now, consecutive_failures: 10 }

export const webhookEndpointEvents: EventTypes = {
  resource: 'webhook_endpoint',
  permission: manageWebhookEndpoints,
  schema: WebhookEndpoint,
  types: {
    'webhook_endpoint.created': {
      description: 'A webhook endpoint was created. Endpoints receive no events about themselves.',
      object: { ...example, last_success_at: null, version: 1, updated_at: example.created_at },
      previous: null,
    },
    'webhook_endpoint.updated': {
      description: 'Its URL, event types, description or metadata changed.',
      object: example,
      previous: { events: ['*'] },
    },
    'webhook_endpoint.enabled': {
      description: 'The endpoint was enabled.',
      object: example,
      previous: { status: 'disabled', disabled_reason: 'manual' },
    },
    'webhook_endpoint.disabled': {
      description: 'The endpoint was disabled; `disabled_reason` says why.',
      object: { ...example, ...failing, status: 'disabled', disabled_reason: 'failing' },
      previous: { status: 'enabled', disabled_reason: null },
    },
    'webhook_endpoint.failing': {
      description: 'Ten consecutive deliveries failed. Attempts continue.',
      object: { ...example, ...failing },
      previous: {},
    },
    'webhook_endpoint.secret_rotated': {
      description:
        'The endpoint has a new signing secret; the previous one also signs during the grace period.',
      object: {
        ...example,
        secret_hint: 'fPk=',
        previous_secret_expires_at: '2026-11-22T09:30:00.000Z',
      },
      previous: { secret_hint: 'vcI=', previous_secret_expires_at: null },
    },
    'webhook_endpoint.deleted': {
      description: 'A webhook endpoint was deleted. The object is its last state.',
      object: example,
      previous: null,
    },
    'webhook_endpoint.test': {
      description:
        'A test event, sent to one endpoint only, whatever its subscription; not listed.',
      object: example,
      previous: null,
    },
  },
}
