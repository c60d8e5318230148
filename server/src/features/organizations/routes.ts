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
      summary: 'Get your organization',
      method: 'GET',
      path: '/organization',
      permission: 'organization.read',
      reply: Organization,
      run: (ctx) => getOrganization(ctx),
    }),
    endpoint({
      operation: 'updateOrganization',
      tag,
      summary: 'Update your organization',
      description:
        'A sent field is set, an omitted field is unchanged. Only the operator can change the plan.',
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
      summary: 'Get plan limits, usage and storage',
      method: 'GET',
      path: '/limits',
      permission: 'organization.read',
      reply: Limits,
      run: (ctx) => getLimits(ctx),
    }),
  ],
  events: [organizationEvents],
}
