import { endpoint, type Feature } from '../../http/endpoint.ts'
import { listParameters } from '../../kernel/pages.ts'
import {
  CreatedWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointBody,
  WebhookEndpointList,
  webhookEndpointEvents,
} from './schema.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  webhookEndpointList,
} from './webhook-endpoints.ts'

const tag = 'Webhook endpoints'

export const webhookEndpoints: Feature = {
  endpoints: [
    endpoint({
      operation: 'listWebhookEndpoints',
      tag,
      summary: 'List webhook endpoints',
      method: 'GET',
      path: '/webhook_endpoints',
      permission: 'webhook_endpoints.manage',
      query: listParameters(webhookEndpointList),
      reply: WebhookEndpointList,
      run: (ctx, { query }) => listWebhookEndpoints(ctx, query),
    }),
    endpoint({
      operation: 'createWebhookEndpoint',
      tag,
      summary: 'Create a webhook endpoint',
      description:
        'The reply alone has the signing `secret`. A host name that does not resolve yet is accepted.',
      method: 'POST',
      path: '/webhook_endpoints',
      permission: 'webhook_endpoints.manage',
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
      permission: 'webhook_endpoints.manage',
      reply: WebhookEndpoint,
      run: (ctx, { id }) => getWebhookEndpoint(ctx, id),
    }),
    endpoint({
      operation: 'deleteWebhookEndpoint',
      tag,
      summary: 'Delete a webhook endpoint',
      description: 'To change one, delete it and create another.',
      method: 'DELETE',
      path: '/webhook_endpoints/:id',
      permission: 'webhook_endpoints.manage',
      action: 'webhook_endpoint.deleted',
      status: 204,
      run: (ctx, { id }) => deleteWebhookEndpoint(ctx, id),
    }),
  ],
  events: webhookEndpointEvents,
}
