import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Templates',
  description: 'Presets for campaigns: default values and locked fields.',
}

export const templateIds = idType('template', 'tpl')

export const readTemplates = permission('templates.read', roles, { isForAgents: true })
export const writeTemplates = permission('templates.write', ['owner', 'admin', 'editor'], {
  isForAgents: true,
})

export const cap: Cap = { name: 'templates', defaultLimit: 500 }
