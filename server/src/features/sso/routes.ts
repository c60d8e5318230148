import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import type { Feature } from '../../http/feature.ts'
import { retryLater } from '../../problems/problem.ts'
import { NoBody } from '../../schema/fields.ts'
import { tag } from '../organizations/resource.ts'
import { domainTaken, verifyDomain } from './domains.ts'
import { ssoEvents } from './event-types.ts'
import { domainNames, manageSso } from './resource.ts'
import { Sso, SsoChanges } from './schema.ts'
import { deleteSso, getSso, putSso } from './settings.ts'
import { sealedSso } from './stored.ts'

const settings: readonly Endpoint[] = [
  endpoint({
    operation: 'getSso',
    tag,
    summary: 'Get your organization’s single sign-on',
    method: 'GET',
    path: '/organization/sso',
    permission: manageSso,
    reply: Sso,
    problems: ['not_found'],
    run: (ctx) => getSso(ctx),
  }),
  endpoint({
    operation: 'putSso',
    tag,
    summary: 'Set up your organization’s single sign-on',
    description:
      'Makes the settings, or changes them: a sent field is replaced as a whole, an omitted one is unchanged. Another `issuer` needs its `client_secret`, and its people are matched by their addresses anew.',
    method: 'PUT',
    path: '/organization/sso',
    permission: manageSso,
    needsRecentLogin: true,
    action: 'organization.sso_updated',
    body: SsoChanges,
    example: {
      issuer: 'https://login.acme.example',
      client_id: 'flightdeck',
      client_secret: 'tAtGXH5wHzYn8mV2',
      domains: ['acme.example'],
      default_role: 'viewer',
      role_claim: 'groups',
      role_map: { 'Marketing leads': 'admin', Marketing: 'editor' },
    },
    gathersFaults: true,
    mayCreate: true,
    isVersioned: true,
    reply: Sso,
    problems: ['owner_without_factor'],
    run: (ctx, { body }) => putSso(ctx, body),
  }),
  endpoint({
    operation: 'deleteSso',
    tag,
    summary: 'Delete your organization’s single sign-on',
    description:
      'Its domains go too. Members keep their accounts, and those without a password set one by `POST /auth/password/forgotten`.',
    method: 'DELETE',
    path: '/organization/sso',
    permission: manageSso,
    needsRecentLogin: true,
    action: 'organization.sso_deleted',
    deletes: Sso,
    isVersioned: true,
    status: 204,
    problems: ['not_found'],
    run: (ctx) => deleteSso(ctx),
  }),
  endpoint({
    operation: 'verifySsoDomain',
    tag,
    summary: 'Verify a domain of your single sign-on',
    description:
      'Looks for the domain’s `txt_record` in its DNS. Once proved, the domain belongs to your organization alone; if it is already proved, nothing changes.',
    method: 'POST',
    path: '/organization/sso/domains/:domain/verify',
    permission: manageSso,
    needsRecentLogin: true,
    action: 'organization.sso_domain_proved',
    noDryRun: true,
    unhurried: true,
    body: NoBody,
    reply: Sso,
    problems: ['domain_not_proved', 'domain_taken'],
    run: (ctx, { innerId }) => verifyDomain(ctx, innerId),
  }),
]

export const sso: Feature = {
  permissions: [manageSso],
  ids: { domains: domainNames },
  endpoints: settings,
  events: [ssoEvents],
  constraints: {
    proved_domains_pkey: domainTaken,
    // This process has yet to take over a change of the master key.
    sso_settings_master_key_fkey: () => retryLater('unavailable'),
  },
  sealed: sealedSso,
}
