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
    summary: 'Send a test to a webhook endpoint',
    description:
      'Sends `webhook_endpoint.test` to this endpoint alone, whatever its `events`, and although it be disabled. The event has `test: true`, and stands outside of `/events` and the sequence.',
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
    summary: 'Send what a webhook endpoint has missed',
    description:
      'Every failed or skipped delivery of the time goes out again, with the whole schedule of attempts before it. Tests do not, and neither does what is pending.',
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
    description: 'What the endpoint was to be told in the last 30 days, and what came of it.',
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
    summary: 'Get a delivery with its attempts',
    method: 'GET',
    path: '/webhook_endpoints/:id/deliveries/:delivery_id',
    permission: 'webhook_endpoints.manage',
    reply: WebhookDeliveryDetails,
    run: (ctx, { id, innerId }) => getDelivery(ctx, { endpointId: id, deliveryId: innerId }),
  }),
  endpoint({
    operation: 'redeliverWebhookDelivery',
    tag,
    summary: 'Send a delivery again',
    description:
      'Whatever came of it so far, and although the endpoint be disabled; a pending one is brought forward. 404 also when its event is no longer stored.',
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
