import type { EventTypes } from '../../kernel/event-types.ts'
import { apiKeyIds } from '../../values/core-ids.ts'
import { exampleId } from '../../values/ids.ts'
import { userIds } from '../members/resource.ts'
import { readApiKeys } from './resource.ts'
import { ApiKey } from './schema.ts'

const madeAt = '2026-11-21T09:00:00.000Z'

const apiKey: ApiKey = {
  id: exampleId(apiKeyIds),
  name: 'Reporting',
  role: 'viewer',
  scope: null,
  agent: null,
  stopped_at: null,
  key_hint: 'w3Xq',
  status: 'active',
  expires_at: null,
  last_used_at: null,
  version: 1,
  created_at: madeAt,
  updated_at: madeAt,
  created_by: exampleId(userIds),
  updated_by: exampleId(userIds),
}

const agentKey: ApiKey = {
  ...apiKey,
  name: 'Desk agent',
  role: 'editor',
  agent: { apply: 'within_envelope', envelope_24h: { USD: 200 } },
}

export const apiKeyEvents: EventTypes = {
  resource: 'api_key',
  permission: readApiKeys,
  schema: ApiKey,
  types: {
    'api_key.created': {
      description: 'An API key was created. Events never contain the key itself.',
      object: apiKey,
      previous: null,
    },
    'api_key.stopped': {
      description:
        'The writes of an agent were stopped: by a person, or by five refusals in an hour.',
      object: { ...agentKey, stopped_at: '2026-11-21T09:30:00.000Z', version: 2 },
      previous: { stopped_at: null },
    },
    'api_key.resumed': {
      description: 'An agent may write again.',
      object: { ...agentKey, version: 3 },
      previous: { stopped_at: '2026-11-21T09:30:00.000Z' },
    },
    'api_key.revoked': {
      description: 'An API key was deleted and no longer works. The object is its last state.',
      object: { ...apiKey, last_used_at: '2026-11-21T09:29:00.000Z' },
      previous: null,
    },
  },
}
