import { permission } from '../../identity/permissions.ts'
import { nameType } from '../../values/ids.ts'

/** People only: who decides how people log in could log in as each of them. */
export const manageSso = permission('sso.manage', ['owner'], { isForPeopleOnly: true })

/** RFC 1035: the longest name. */
export const maxDomainLength = 253

export const domainNames = nameType('domain', {
  maxLength: maxDomainLength,
  example: 'acme.example',
})

/** The roles that a provider may give: never that of owners. */
export const givenRoles = ['admin', 'editor', 'viewer', 'auditor'] as const
export type GivenRole = (typeof givenRoles)[number]
