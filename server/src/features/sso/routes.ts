import { Type } from 'typebox'
import { type Endpoint, endpoint, publicEndpoint } from '../../http/endpoint.ts'
import type { Feature, LoginStep } from '../../http/feature.ts'
import { retryLater } from '../../problems/problem.ts'
import { NoBody } from '../../schema/fields.ts'
import { maxEmailLength } from '../../values/email.ts'
import { tag as authTag } from '../auth/resource.ts'
import { tag } from '../organizations/resource.ts'
import { domainTaken, verifyDomain } from './domains.ts'
import { ssoEvents } from './event-types.ts'
import { purgeAnswers } from './login/answers.ts'
import { problemPage } from './login/pages.ts'
import { whereToLogIn } from './login/where.ts'
import { domainNames, manageSso } from './resource.ts'
import { Sso, SsoChanges, SsoPlace, SsoTest } from './schema.ts'
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
    operation: 'testSso',
    tag,
    summary: 'Test your organization’s single sign-on',
    description:
      'Reads the issuer’s configuration and keys, and asks its token endpoint whether client id and secret are right.',
    method: 'POST',
    path: '/organization/sso/test',
    permission: manageSso,
    action: 'organization.sso_tested',
    noDryRun: true,
    unhurried: true,
    body: NoBody,
    reply: SsoTest,
    problems: ['not_found'],
    run: async (ctx) => (await import('./provider/try.ts')).trySso(ctx),
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

const login = publicEndpoint({
  operation: 'findSso',
  tag: authTag,
  summary: 'Ask whether an address logs in by single sign-on',
  description:
    'Goes by the domain of the address alone. `start_url` is for browsers: programs get no token there.',
  method: 'GET',
  path: '/auth/sso',
  query: {
    email: Type.String({
      minLength: 3,
      maxLength: maxEmailLength,
      description: 'The address that someone would log in with.',
      examples: ['grace@example.com'],
    }),
  },
  reply: SsoPlace,
  problems: ['login_throttled'],
  run: (ctx, { query }) => whereToLogIn(ctx, String(query.email ?? '')),
})

/** For the organizations that share an issuer, and for one alone. */
const callbacks = ['/auth/sso/callback', '/auth/sso/callback/:organization']

const startQuery = {
  email: Type.String(),
  /** A path of the console. */
  next: Type.String(),
  /** For who is logged in already: the provider asks who it is. */
  again: Type.Boolean(),
}

/** The clients of OpenID Connect and HTTP take 7 MB and 0.1 s, so the first who needs them loads them. */
const steps: readonly LoginStep[] = [
  {
    path: '/auth/sso/start',
    method: 'GET',
    query: startQuery,
    take: async (visit) => (await import('./login/start.ts')).startLogin(visit),
    refused: problemPage,
  },
  ...callbacks.map(
    (path): LoginStep => ({
      path,
      method: 'GET',
      take: async (visit) => (await import('./login/callback.ts')).finishLogin(visit),
      refused: problemPage,
    }),
  ),
  {
    path: '/auth/sso/backchannel_logout',
    method: 'POST',
    take: async (visit) => (await import('./login/logout.ts')).backchannelLogout(visit),
  },
]

export const sso: Feature = {
  permissions: [manageSso],
  ids: { domains: domainNames },
  evenWhenFull: {
    'organization.sso_deleted': true,
    'auth.sso_answered': true,
    'auth.sso_logged_out': true,
    'auth.sso_refused': true,
  },
  endpoints: [...settings, login],
  steps,
  jobs: [{ name: 'sso-answers.purge', cron: '23 * * * *', run: purgeAnswers }],
  events: [ssoEvents],
  constraints: {
    proved_domains_pkey: domainTaken,
    // This process has yet to take over a change of the master key.
    sso_settings_master_key_fkey: () => retryLater('unavailable'),
  },
  sealed: sealedSso,
}
