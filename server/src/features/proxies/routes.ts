import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { listParameters } from '../../query/list.ts'
import { NoBody } from '../../schema/fields.ts'
import { checkProxy } from './check.ts'
import { checkDueProxies } from './check-job.ts'
import { revealCredentials, sealedProxies } from './credentials.ts'
import { proxyEvents } from './event-types.ts'
import {
  createProxy,
  deleteProxy,
  getProxy,
  listProxies,
  proxyList,
  updateProxy,
} from './proxies.ts'
import { proxyRefusals } from './refusals.ts'
import {
  cap,
  proxyIds,
  readProxies,
  readProxyUsernames,
  revealProxyCredentials,
  tag,
  writeProxies,
} from './resource.ts'
import { ProxyBody, ProxyChanges, ProxyCredentials, ProxyList, ProxyReply } from './schema.ts'

export const proxies: Feature = {
  tag,
  permissions: [readProxies, readProxyUsernames, writeProxies, revealProxyCredentials],
  ids: { proxies: proxyIds },
  cap,
  tables: [{ name: 'proxies', isEmptied: true }],
  evenWhenFull: {
    'proxy.deleted': true,
    'proxy.credentials_revealed': true,
  },
  endpoints: [
    endpoint({
      operation: 'listProxies',
      tag,
      summary: 'List proxies',
      method: 'GET',
      path: '/proxies',
      permission: readProxies,
      query: listParameters(proxyList),
      reply: ProxyList,
      run: (ctx, { query }) => listProxies(ctx, query),
    }),
    endpoint({
      operation: 'createProxy',
      tag,
      summary: 'Create a proxy',
      description: 'Network egress for the traffic of profiles, from a fixed or regional address.',
      method: 'POST',
      path: '/proxies',
      permission: writeProxies,
      action: 'proxy.created',
      body: ProxyBody,
      example: { protocol: 'http', host: 'proxy.example.com', port: 8080, country: 'DE' },
      gathersFaults: true,
      status: 201,
      reply: ProxyReply,
      problems: ['external_id_taken', 'limit_exceeded'],
      run: (ctx, { body }) => createProxy(ctx, body),
    }),
    endpoint({
      operation: 'getProxy',
      tag,
      summary: 'Get a proxy',
      method: 'GET',
      path: '/proxies/:id',
      permission: readProxies,
      reply: ProxyReply,
      run: (ctx, { id }) => getProxy(ctx, id),
    }),
    endpoint({
      operation: 'updateProxy',
      tag,
      summary: 'Update a proxy',
      description:
        'PUT and PATCH both merge: a sent field is set, null clears an optional field, an omitted field is unchanged.',
      method: ['PUT', 'PATCH'],
      path: '/proxies/:id',
      permission: writeProxies,
      action: 'proxy.updated',
      body: ProxyChanges,
      example: { enabled: false },
      gathersFaults: true,
      reply: ProxyReply,
      problems: ['external_id_taken'],
      run: (ctx, { id, body }) => updateProxy(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteProxy',
      tag,
      summary: 'Delete a proxy',
      description: 'Refused while profiles use it.',
      method: 'DELETE',
      path: '/proxies/:id',
      permission: writeProxies,
      action: 'proxy.deleted',
      status: 204,
      problems: ['resource_in_use'],
      run: (ctx, { id }) => deleteProxy(ctx, id),
    }),
    endpoint({
      operation: 'revealProxyCredentials',
      tag,
      summary: 'Reveal a proxy’s credentials',
      description:
        'Every access is recorded in the audit log. A replay under the same Idempotency-Key returns nulls.',
      method: 'POST',
      path: '/proxies/:id/credentials',
      permission: revealProxyCredentials,
      action: 'proxy.credentials_revealed',
      noDryRun: true,
      body: NoBody,
      reply: ProxyCredentials,
      noStore: true,
      run: (ctx, { id }) => revealCredentials(ctx, id),
    }),
    endpoint({
      operation: 'checkProxy',
      tag,
      summary: 'Check a proxy',
      description:
        'Makes a request through the proxy, which takes at most 10 s, and returns 200 whatever the result: see `last_check`. Affects `status` like the periodic checks. A replay under the same Idempotency-Key makes no request, and its response has no user name.',
      method: 'POST',
      path: '/proxies/:id/check',
      permission: writeProxies,
      action: 'proxy.checked',
      noDryRun: true,
      unhurried: true,
      body: NoBody,
      reply: ProxyReply,
      run: (ctx, { id }) => checkProxy(ctx, id),
    }),
  ],
  constraints: proxyRefusals,
  sealed: sealedProxies,
  events: [proxyEvents],
  jobs: [{ name: 'proxies.check', cron: '* * * * *', run: checkDueProxies }],
}
