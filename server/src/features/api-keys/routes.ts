import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { listParameters } from '../../query/list.ts'
import { NoBody } from '../../schema/fields.ts'
import { apiKeyIds } from '../../values/core-ids.ts'
import { apiKeyList, createApiKey, deleteApiKey, getApiKey, listApiKeys } from './api-keys.ts'
import { apiKeyEvents } from './event-types.ts'
import { revokeOfDeleted, revokeOfDisabled } from './reactions.ts'
import { noteRefusal } from './refusals.ts'
import { cap, manageApiKeys, readApiKeys, tag } from './resource.ts'
import { purgeApiKeys } from './retention.ts'
import { ApiKey, ApiKeyBody, ApiKeyList, CreatedApiKey, StopBody } from './schema.ts'
import { resumeKey, stopKey } from './stops.ts'

export const apiKeys: Feature = {
  tag,
  permissions: [readApiKeys, manageApiKeys],
  ids: { api_keys: apiKeyIds },
  cap,
  evenWhenFull: {
    'api_key.revoked': true,
    'api_key.stopped': true,
    'api_key.resumed': true,
  },
  endpoints: [
    endpoint({
      operation: 'listApiKeys',
      tag,
      summary: 'List API keys',
      description: 'Deleted keys are not listed; see the audit log.',
      method: 'GET',
      path: '/api_keys',
      permission: readApiKeys,
      query: listParameters(apiKeyList),
      reply: ApiKeyList,
      run: (ctx, { query }) => listApiKeys(ctx, query),
    }),
    endpoint({
      operation: 'createApiKey',
      tag,
      summary: 'Create an API key',
      description:
        'Only this response contains the `key`; it is not stored. Only owners can create keys with the role owner.',
      method: 'POST',
      path: '/api_keys',
      permission: manageApiKeys,
      needsRecentLogin: true,
      action: 'api_key.created',
      body: ApiKeyBody,
      example: { name: 'Reporting', role: 'viewer', expires_at: '2027-11-21T09:30:00.000Z' },
      gathersFaults: true,
      status: 201,
      reply: CreatedApiKey,
      problems: ['limit_exceeded'],
      noStore: true,
      run: (ctx, { body }) => createApiKey(ctx, body),
    }),
    endpoint({
      operation: 'getApiKey',
      tag,
      summary: 'Get an API key',
      method: 'GET',
      path: '/api_keys/:id',
      permission: readApiKeys,
      reply: ApiKey,
      run: (ctx, { id }) => getApiKey(ctx, id),
    }),
    endpoint({
      operation: 'deleteApiKey',
      tag,
      summary: 'Delete an API key',
      description:
        'Its requests are refused from now on (`token_revoked`) and its event streams end. Only owners can delete keys with the role owner.',
      method: 'DELETE',
      path: '/api_keys/:id',
      permission: manageApiKeys,
      needsRecentLogin: true,
      action: 'api_key.revoked',
      status: 204,
      run: (ctx, { id }) => deleteApiKey(ctx, id),
    }),
    endpoint({
      operation: 'stopApiKey',
      tag,
      summary: 'Stop the writes of an agent',
      description:
        'Pausing campaigns goes on. What is stopped already stays as it is. Five refusals within an hour do the same.',
      method: 'POST',
      path: '/api_keys/:id/stop',
      permission: manageApiKeys,
      action: 'api_key.stopped',
      body: StopBody,
      example: { reason: 'It raises what we have lowered.' },
      reply: ApiKey,
      problems: ['not_an_agent'],
      run: (ctx, { id, body }) =>
        stopKey(ctx, id, { by: ctx.actor.id, reason: body.reason ?? ctx.reason }),
    }),
    endpoint({
      operation: 'resumeApiKey',
      tag,
      summary: 'Let an agent write again',
      description: 'None of its refusals until now count any more.',
      method: 'POST',
      path: '/api_keys/:id/resume',
      permission: manageApiKeys,
      needsRecentLogin: true,
      action: 'api_key.resumed',
      body: NoBody,
      reply: ApiKey,
      problems: ['not_an_agent'],
      run: (ctx, { id }) => resumeKey(ctx, id),
    }),
  ],
  events: [apiKeyEvents],
  onRefusal: noteRefusal,
  reactions: { 'member.updated': revokeOfDisabled, 'member.deleted': revokeOfDeleted },
  jobs: [{ name: 'api-keys.purge', cron: '43 3 * * *', run: purgeApiKeys }],
}
