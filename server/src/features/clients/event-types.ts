import type { EventTypes } from '../../kernel/event-types.ts'
import { exampleId } from '../../values/ids.ts'
import { userIds } from '../members/resource.ts'
import { clientIds, readClients } from './resource.ts'
import { Client } from './schema.ts'

const example: Client = {
  id: exampleId(clientIds),
  name: 'Northwind Traders',
  currency: 'USD',
  time_zone: 'America/New_York',
  status: 'active',
  external_id: 'crm-4711',
  labels: ['retail'],
  metadata: {},
  notes: null,
  version: 2,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
}

const archived: Client = { ...example, status: 'archived' }

export const clientEvents: EventTypes = {
  resource: 'client',
  permission: readClients,
  schema: Client,
  types: {
    'client.created': {
      description: 'A client was created, by itself or with the first profile that names it.',
      object: { ...example, version: 1, updated_at: example.created_at },
      previous: null,
    },
    'client.updated': {
      description: 'Fields of a client changed. A new name is that of its profiles at once.',
      object: example,
      previous: { name: 'Northwind' },
    },
    'client.archived': {
      description: 'A client was archived. Its profiles and campaigns go on.',
      object: archived,
      previous: { status: 'active' },
    },
    'client.unarchived': {
      description: 'An archived client is active again.',
      object: example,
      previous: { status: 'archived' },
    },
    'client.deleted': {
      description: 'A client was deleted. The object is its last state.',
      object: archived,
      previous: null,
    },
  },
}
