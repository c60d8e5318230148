import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { selfUse } from '../../../identity/permissions.ts'
import { listParameters } from '../../../query/list.ts'
import { manageMembers } from '../../members/resource.ts'
import { tag } from '../resource.ts'
import { addFactor, factorList, listFactors, removeFactor, verifyFactor } from './factors.ts'
import { removeFactorsOf } from './of-member.ts'
import { Factor, FactorBody, FactorList, NewFactor, VerifiedFactor, VerifyBody } from './schema.ts'

export const factorEndpoints: readonly Endpoint[] = [
  endpoint({
    operation: 'listFactors',
    tag,
    summary: 'List your second factors',
    method: 'GET',
    path: '/auth/factors',
    permission: selfUse,
    withoutFactor: true,
    needsSession: true,
    query: listParameters(factorList),
    reply: FactorList,
    run: (ctx, { query }) => listFactors(ctx, query),
  }),
  endpoint({
    operation: 'addFactor',
    tag,
    summary: 'Set up a second factor',
    description:
      'Time codes guard your logins once a first code has verified them, a passkey once the browser has made it of `options`, within 5 minutes. Recovery codes come with the first factor; made anew, they replace the former ones.',
    method: 'POST',
    path: '/auth/factors',
    permission: selfUse,
    needsRecentLogin: true,
    withoutFactor: true,
    needsSession: true,
    action: 'auth.factor_begun',
    noDryRun: true,
    body: FactorBody,
    example: { kind: 'totp', name: 'Phone' },
    status: 201,
    reply: NewFactor,
    problems: ['limit_exceeded', 'invalid_state_transition'],
    run: (ctx, { body }) => addFactor(ctx, body),
  }),
  endpoint({
    operation: 'verifyFactor',
    tag,
    summary: 'Verify a second factor',
    description:
      'From then on your logins ask for it. With the first factor you get ten recovery codes, which are shown once.',
    method: 'POST',
    path: '/auth/factors/:id/verify',
    permission: selfUse,
    needsRecentLogin: true,
    withoutFactor: true,
    needsSession: true,
    action: 'auth.factor_added',
    noDryRun: true,
    body: VerifyBody,
    example: { otp: '492039' },
    reply: VerifiedFactor,
    problems: ['invalid_credentials', 'invalid_state_transition', 'passkey_taken'],
    run: (ctx, { id, body }) => verifyFactor(ctx, id, body),
  }),
  endpoint({
    operation: 'removeFactor',
    tag,
    summary: 'Remove a second factor',
    description: 'With the last one go the recovery codes, and logins ask for the password alone.',
    method: 'DELETE',
    path: '/auth/factors/:id',
    permission: selfUse,
    needsRecentLogin: true,
    withoutFactor: true,
    needsSession: true,
    action: 'auth.factor_removed',
    deletes: Factor,
    status: 204,
    problems: ['owner_without_factor'],
    run: (ctx, { id }) => removeFactor(ctx, id),
  }),
  endpoint({
    operation: 'removeMemberFactors',
    tag,
    summary: 'Remove the second factors of a member',
    description:
      'For a member who has lost them, who gets a mail about it. Only owners can do so for owners.',
    method: 'DELETE',
    path: '/members/:id/factors',
    permission: manageMembers,
    needsRecentLogin: true,
    action: 'auth.factors_removed',
    noDryRun: true,
    status: 204,
    problems: ['owner_without_factor'],
    run: (ctx, { id }) => removeFactorsOf(ctx, id),
  }),
]
