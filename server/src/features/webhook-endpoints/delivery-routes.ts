import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { listParameters } from '../../query/list.ts'
import { NoBody } from '../../schema/fields.ts'
import { deliveryList, getDelivery, listDeliveries } from './deliveries.ts'
import {
  Recovered,
  Recovery,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryList,
} from './delivery-schema.ts'
import { recover } from './recover.ts'
import { redeliver } from './redeliver.ts'
import { sendTest } from './send-test.ts'

const tag = 'Webhook endpoints'

export const deliveryEndpoints: readonly Endpoint[] = [
  endpoint({
    operation: 'testWebhookEndpoint',
    tag,
    summary: 'Send a test event to a webhook endpoint',
    description:
      'Sends `webhook_endpoint.test` to this endpoint only, whatever its `events` and even if it is disabled. The event has `test: true`, is not in `/events` and has no sequence.',
    method: 'POST',
    status: 202,
    path: '/webhook_endpoints/:id/test',
    permission: 'webhook_endpoints.manage',
    action: 'webhook_endpoint.test',
    body: NoBody,
    reply: WebhookDelivery,
    run: (ctx, { id }) => sendTest(ctx, id),
  }),
  endpoint({
    operation: 'recoverWebhookEndpoint',
    tag,
    summary: 'Recover missed deliveries of a webhook endpoint',
    description:
      'Resends every failed or skipped delivery of the period, with a full retry schedule. Tests and pending deliveries are not resent.',
    method: 'POST',
    status: 202,
    path: '/webhook_endpoints/:id/recover',
    permission: 'webhook_endpoints.manage',
    action: 'webhook_endpoint.recovered',
    body: Recovery,
    gathersFaults: true,
    reply: Recovered,
    problems: ['invalid_state_transition'],
    run: (ctx, { id, body }) => recover(ctx, id, body),
  }),
  endpoint({
    operation: 'listWebhookDeliveries',
    tag,
    summary: 'List the deliveries to a webhook endpoint',
    description: 'Deliveries of the last 30 days and their outcome.',
    method: 'GET',
    path: '/webhook_endpoints/:id/deliveries',
    permission: 'webhook_endpoints.manage',
    query: listParameters(deliveryList),
    reply: WebhookDeliveryList,
    run: (ctx, { id, query }) => listDeliveries(ctx, id, query),
  }),
  endpoint({
    operation: 'getWebhookDelivery',
    tag,
    summary: 'Get a delivery and its attempts',
    method: 'GET',
    path: '/webhook_endpoints/:id/deliveries/:delivery_id',
    permission: 'webhook_endpoints.manage',
    reply: WebhookDeliveryDetails,
    run: (ctx, { id, innerId }) => getDelivery(ctx, { endpointId: id, deliveryId: innerId }),
  }),
  endpoint({
    operation: 'redeliverWebhookDelivery',
    tag,
    summary: 'Resend a delivery',
    description:
      'Works whatever its outcome and even if the endpoint is disabled; a pending delivery is sent immediately. 404 also if its event is no longer stored.',
    method: 'POST',
    status: 202,
    path: '/webhook_endpoints/:id/deliveries/:delivery_id/redeliver',
    permission: 'webhook_endpoints.manage',
    action: 'webhook_delivery.redelivered',
    body: NoBody,
    reply: WebhookDelivery,
    run: (ctx, { id, innerId }) => redeliver(ctx, { endpointId: id, deliveryId: innerId }),
  }),
]
