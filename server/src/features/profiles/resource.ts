import type { Tag } from '../../http/endpoint.ts'
import { permission, roles } from '../../identity/permissions.ts'
import type { Cap } from '../../kernel/quotas.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Profiles',
  description: 'The advertiser accounts that campaigns run under.',
}

export const profileIds = idType('profile', 'prf')

export const readProfiles = permission('profiles.read', [...roles, 'connector'], {
  isForAgents: true,
})
export const writeProfiles = permission('profiles.write', ['owner', 'admin'])

export const cap: Cap = { name: 'profiles', defaultLimit: 1_000 }
