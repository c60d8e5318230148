import { sealedWebhookSecrets } from '../../crypto/webhook-secret.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { retryLater } from '../../problems/problem.ts'
import { listParameters } from '../../query/list.ts'
import { NoBody } from '../../schema/fields.ts'
import { deliveryIds } from '../../values/core-ids.ts'
import { deliveryEndpoints } from './delivery-routes.ts'
import { webhookEndpointEvents } from './event-types.ts'
import { cap, manageWebhookEndpoints, tag, webhookEndpointIds } from './resource.ts'
import { purgeDeliveries } from './retention.ts'
import {
  CreatedWebhookEndpoint,
  SecretRotation,
  WebhookEndpoint,
  WebhookEndpointBody,
  WebhookEndpointChanges,
  WebhookEndpointList,
} from './schema.ts'
import { rotateSecret } from './secret.ts'
import { disableByHand, enableEndpoint } from './status.ts'
import { updateWebhookEndpoint } from './update.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  webhookEndpointList,
} from './webhook-endpoints.ts'

export const webhookEndpoints: Feature = {
  tag,
  permissions: [manageWebhookEndpoints],
  ids: { webhook_endpoints: webhookEndpointIds, deliveries: deliveryIds },
  cap,
  tables: [{ name: 'webhook_endpoints' }],
  evenWhenFull: {
    'webhook_endpoint.disabled': true,
    'webhook_endpoint.deleted': true,
    'webhook_endpoint.secret_rotated': true,
  },
  endpoints: [
    endpoint({
      operation: 'listWebhookEndpoints',
      tag,
      summary: 'List webhook endpoints',
      method: 'GET',
      path: '/webhook_endpoints',
      permission: manageWebhookEndpoints,
      query: listParameters(webhookEndpointList),
      reply: WebhookEndpointList,
      run: (ctx, { query }) => listWebhookEndpoints(ctx, query),
    }),
    endpoint({
      operation: 'createWebhookEndpoint',
      tag,
      summary: 'Create a webhook endpoint',
      description:
        'Only this response contains the signing `secret`. A host name that resolves to a forbidden address is refused; one that does not resolve yet is accepted.',
      method: 'POST',
      path: '/webhook_endpoints',
      permission: manageWebhookEndpoints,
      action: 'webhook_endpoint.created',
      body: WebhookEndpointBody,
      example: { url: 'https://example.com/hooks/flightdeck', events: ['campaign.*'] },
      gathersFaults: true,
      status: 201,
      reply: CreatedWebhookEndpoint,
      noStore: true,
      problems: ['limit_exceeded'],
      run: (ctx, { body }) => createWebhookEndpoint(ctx, body),
    }),
    endpoint({
      operation: 'getWebhookEndpoint',
      tag,
      summary: 'Get a webhook endpoint',
      method: 'GET',
      path: '/webhook_endpoints/:id',
      permission: manageWebhookEndpoints,
      reply: WebhookEndpoint,
      run: (ctx, { id }) => getWebhookEndpoint(ctx, id),
    }),
    endpoint({
      operation: 'updateWebhookEndpoint',
      tag,
      summary: 'Update a webhook endpoint',
      description:
        'A sent field is set, null clears an optional field, an omitted field is unchanged. The secret stays. Another `url` gets pending deliveries too, and begins without the failures of the one before.',
      method: 'PATCH',
      path: '/webhook_endpoints/:id',
      permission: manageWebhookEndpoints,
      action: 'webhook_endpoint.updated',
      body: WebhookEndpointChanges,
      example: { events: ['campaign.*', 'profile.updated'] },
      gathersFaults: true,
      reply: WebhookEndpoint,
      run: (ctx, { id, body }) => updateWebhookEndpoint(ctx, id, body),
    }),
    endpoint({
      operation: 'deleteWebhookEndpoint',
      tag,
      summary: 'Delete a webhook endpoint',
      description: 'Deletes its log, too.',
      method: 'DELETE',
      path: '/webhook_endpoints/:id',
      permission: manageWebhookEndpoints,
      action: 'webhook_endpoint.deleted',
      status: 204,
      run: (ctx, { id }) => deleteWebhookEndpoint(ctx, id),
    }),
    endpoint({
      operation: 'rotateWebhookEndpointSecret',
      tag,
      summary: 'Rotate the signing secret of a webhook endpoint',
      description:
        'Only this response contains the new `secret`. Previous secrets also sign until their grace periods end. At most 5 secrets sign at a time: one more is 409, unless `grace_period_seconds` is 0, which ends all previous ones.',
      method: 'POST',
      path: '/webhook_endpoints/:id/rotate_secret',
      permission: manageWebhookEndpoints,
      action: 'webhook_endpoint.secret_rotated',
      body: SecretRotation,
      example: { grace_period_seconds: 3600 },
      reply: CreatedWebhookEndpoint,
      problems: ['limit_exceeded'],
      noStore: true,
      run: (ctx, { id, body }) => rotateSecret(ctx, id, body),
    }),
    endpoint({
      operation: 'enableWebhookEndpoint',
      tag,
      summary: 'Enable a webhook endpoint',
      description:
        'Clears its failures. Use `recover` to resend missed deliveries. If it is already enabled, nothing changes.',
      method: 'POST',
      path: '/webhook_endpoints/:id/enable',
      permission: manageWebhookEndpoints,
      action: 'webhook_endpoint.enabled',
      body: NoBody,
      reply: WebhookEndpoint,
      run: (ctx, { id }) => enableEndpoint(ctx, id),
    }),
    endpoint({
      operation: 'disableWebhookEndpoint',
      tag,
      summary: 'Disable a webhook endpoint',
      description:
        'Pending and future deliveries are recorded as skipped. If it is already disabled, nothing changes.',
      method: 'POST',
      path: '/webhook_endpoints/:id/disable',
      permission: manageWebhookEndpoints,
      action: 'webhook_endpoint.disabled',
      body: NoBody,
      reply: WebhookEndpoint,
      run: (ctx, { id }) => disableByHand(ctx, id),
    }),
    ...deliveryEndpoints,
  ],
  events: [webhookEndpointEvents],
  // This process has yet to take over a change of the master key.
  constraints: { webhook_endpoints_master_key_fkey: () => retryLater('unavailable') },
  sealed: sealedWebhookSecrets,
  jobs: [{ name: 'webhook-deliveries.purge', cron: '47 * * * *', run: purgeDeliveries }],
}
