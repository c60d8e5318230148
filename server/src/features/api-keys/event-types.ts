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
    'api_key.revoked': {
      description: 'An API key was deleted and no longer works. The object is its last state.',
      object: { ...apiKey, last_used_at: '2026-11-21T09:29:00.000Z' },
      previous: null,
    },
  },
}
