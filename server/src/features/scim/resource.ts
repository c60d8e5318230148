import type { Tag } from '../../http/endpoint.ts'
import { permission } from '../../identity/permissions.ts'
import { idType, nameType } from '../../values/ids.ts'

/** Not in the OpenAPI document: directories know the protocol. */
export const tag: Tag = {
  name: 'SCIM',
  description: 'Members and groups, kept up to date by a directory (SCIM 2.0).',
}

export const provision = permission('scim.provision', ['provisioner'])

export const groupIds = idType('directory group', 'grp')
export const documentIds = nameType('SCIM document', { maxLength: 100, example: 'User' })

/** The most groups of an organization, members of a group and operations of a PATCH. */
export const mostGroups = 1_000
export const mostMembers = 5_000
export const mostOperations = 100

/** The longest name or identifier of a directory. */
export const longestText = 255
