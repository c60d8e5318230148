import type { Tag } from '../../http/endpoint.ts'
import { permission } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Webhook endpoints',
  description: 'Your URLs that receive events.',
}

export const webhookEndpointIds = idType('webhook endpoint', 'whe')

export const manageWebhookEndpoints = permission('webhook_endpoints.manage', ['owner', 'admin'])

export const cap: Cap = { name: 'webhook_endpoints', defaultLimit: 20 }
