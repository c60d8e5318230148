import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Clients',
  description: 'Whose money it is: the customers that profiles, and so campaigns, belong to.',
}

export const clientIds = idType('client', 'cli')

export const readClients = permission('clients.read', roles)
export const writeClients = permission('clients.write', ['owner', 'admin'])

export const cap: Cap = { name: 'clients', defaultLimit: 1_000 }
