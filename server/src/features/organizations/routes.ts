import { endpoint, type Feature } from '../../http/endpoint.ts'
import { organizationEvents } from './event-types.ts'
import { getLimits } from './limits.ts'
import { getOrganization, updateOrganization } from './organization.ts'
import { Limits, Organization, OrganizationChanges } from './schema.ts'

const tag = 'Organization'

export const organizations: Feature = {
  endpoints: [
    endpoint({
      operation: 'getOrganization',
      tag,
      summary: 'Get the own organization',
      method: 'GET',
      path: '/organization',
      permission: 'organization.read',
      reply: Organization,
      run: (ctx) => getOrganization(ctx),
    }),
    endpoint({
      operation: 'updateOrganization',
      tag,
      summary: 'Change the own organization',
      description: 'A field sent is set, a field left out stays. The operator changes the plan.',
      method: 'PATCH',
      path: '/organization',
      permission: 'organization.write',
      action: 'organization.updated',
      body: OrganizationChanges,
      reply: Organization,
      run: (ctx, { body }) => updateOrganization(ctx, body),
    }),
    endpoint({
      operation: 'getLimits',
      tag,
      summary: 'What the plan allows, how much is used, and what is stored',
      method: 'GET',
      path: '/limits',
      permission: 'organization.read',
      reply: Limits,
      run: (ctx) => getLimits(ctx),
    }),
  ],
  events: [organizationEvents],
}
