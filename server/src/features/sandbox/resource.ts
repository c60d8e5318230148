import type { Tag } from '../../http/endpoint.ts'
import { permission } from '../../identity/permissions.ts'

export const tag: Tag = {
  name: 'Sandbox',
  description: 'An organization for testing: its clock can be moved and its content reset.',
}

export const manageSandbox = permission('sandbox.manage', ['owner', 'admin'])
