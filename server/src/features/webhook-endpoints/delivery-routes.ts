import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { listParameters } from '../../query/list.ts'
import { NoBody } from '../../schema/fields.ts'
import {
  allDeliveriesList,
  deliveryList,
  getDelivery,
  listAllDeliveries,
  listDeliveries,
} from './deliveries.ts'
import {
  Recovered,
  Recovery,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryList,
} from './delivery-schema.ts'
import { recover } from './recover.ts'
import { redeliver } from './redeliver.ts'
import { manageWebhookEndpoints, tag } from './resource.ts'
import { sendTest } from './send-test.ts'

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
    permission: manageWebhookEndpoints,
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
    permission: manageWebhookEndpoints,
    action: 'webhook_endpoint.recovered',
    body: Recovery,
    example: { since: '2026-11-21T09:00:00.000Z' },
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
    permission: manageWebhookEndpoints,
    query: listParameters(deliveryList),
    reply: WebhookDeliveryList,
    run: (ctx, { id, query }) => listDeliveries(ctx, id, query),
  }),
  endpoint({
    operation: 'listAllWebhookDeliveries',
    tag,
    summary: 'List the deliveries to all webhook endpoints',
    description:
      'Deliveries of the last 30 days and their outcome: of one event with `event_id`, or what failed anywhere with `status=failed`.',
    method: 'GET',
    path: '/webhook_deliveries',
    permission: manageWebhookEndpoints,
    query: listParameters(allDeliveriesList),
    reply: WebhookDeliveryList,
    run: (ctx, { query }) => listAllDeliveries(ctx, query),
  }),
  endpoint({
    operation: 'getWebhookDelivery',
    tag,
    summary: 'Get a delivery and its attempts',
    method: 'GET',
    path: '/webhook_endpoints/:id/deliveries/:delivery_id',
    permission: manageWebhookEndpoints,
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
    permission: manageWebhookEndpoints,
    action: 'webhook_delivery.redelivered',
    body: NoBody,
    reply: WebhookDelivery,
    run: (ctx, { id, innerId }) => redeliver(ctx, { endpointId: id, deliveryId: innerId }),
  }),
]
