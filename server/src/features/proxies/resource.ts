import type { Tag } from '../../http/endpoint.ts'
import { permission } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Proxies',
  description: 'Network egress for the traffic of profiles. Credentials are write-only.',
}

export const proxyIds = idType('proxy', 'prx')

export const readProxies = permission('proxies.read', ['owner', 'admin', 'editor', 'viewer'])
export const readProxyUsernames = permission('proxies.read_usernames', ['owner', 'admin', 'editor'])
export const writeProxies = permission('proxies.write', ['owner', 'admin'])
export const revealProxyCredentials = permission('proxies.reveal', ['owner', 'admin'])

export const cap: Cap = { name: 'proxies', defaultLimit: 1_000 }
