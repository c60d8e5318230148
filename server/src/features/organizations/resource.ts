import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'

export const tag: Tag = {
  name: 'Organization',
  description: 'The organization of the token.',
}

export const readOrganization = permission('organization.read', roles, { isForAgents: true })
export const writeOrganization = permission('organization.write', ['owner'])
