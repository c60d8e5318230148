import { endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { organizationEvents } from './event-types.ts'
import { getOrganization, updateOrganization } from './organization.ts'
import { readOrganization, tag, writeOrganization } from './resource.ts'
import { Organization, OrganizationChanges } from './schema.ts'

export const organizations: Feature = {
  tag,
  permissions: [readOrganization, writeOrganization],
  endpoints: [
    endpoint({
      operation: 'getOrganization',
      tag,
      summary: 'Get your organization',
      method: 'GET',
      path: '/organization',
      permission: readOrganization,
      reply: Organization,
      run: (ctx) => getOrganization(ctx),
    }),
    endpoint({
      operation: 'updateOrganization',
      tag,
      summary: 'Update your organization',
      description:
        'A sent field is set, an omitted field is unchanged. Only the operator can change the plan. A change of `require_second_factor` needs a login at most 15 minutes old of who has a second factor.',
      method: 'PATCH',
      path: '/organization',
      permission: writeOrganization,
      action: 'organization.updated',
      body: OrganizationChanges,
      example: { name: 'Acme Media' },
      reply: Organization,
      problems: ['owner_without_factor', 'recent_login_required'],
      run: (ctx, { body }) => updateOrganization(ctx, body),
    }),
  ],
  events: [organizationEvents],
}
