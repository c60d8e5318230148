import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { userIds } from '../members/resource.ts'
import { proxyIds, readProxies } from './resource.ts'
import { ProxyEventObject } from './schema.ts'

const example: ProxyEventObject = {
  id: exampleId(proxyIds),
  name: 'Frankfurt',
  protocol: 'https',
  host: 'fra.egress.example.net',
  port: 8443,
  has_password: true,
  country: 'DE',
  enabled: true,
  status: 'unchecked',
  last_check: null,
  external_id: 'dc-fra-1',
  labels: [],
  metadata: {},
  notes: null,
  version: 2,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
}

const check = {
  at: '2026-11-21T09:30:00.000Z',
  ok: false,
  latency_ms: null,
  egress_ip: null,
  error: 'the proxy refused the connection',
}

export const proxyEvents: EventTypes = {
  resource: 'proxy',
  permission: readProxies,
  schema: ProxyEventObject,
  types: {
    'proxy.created': {
      description: 'A proxy was created.',
      object: { ...example, version: 1, updated_at: example.created_at },
      previous: null,
    },
    'proxy.updated': {
      description:
        'Fields of a proxy changed. Of its credentials the event contains `has_password` only; a change of credentials alone emits nothing else.',
      object: { ...example, enabled: false, status: 'disabled' },
      previous: { enabled: true, status: 'unchecked' },
    },
    'proxy.health_changed': {
      description:
        'Checks changed the status of a proxy: `healthy`, `degraded` or `failing`. The version stays. A check that does not change the status emits no event.',
      object: { ...example, status: 'failing', last_check: check },
      previous: { status: 'degraded', last_check: { ...check, at: '2026-11-21T09:20:04.000Z' } },
    },
    'proxy.deleted': {
      description: 'A proxy was deleted. The object is its last state.',
      object: example,
      previous: null,
    },
  },
}
