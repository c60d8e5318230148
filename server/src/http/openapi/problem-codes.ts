import { agentRuleOf } from '../../identity/agents/operations.ts'
import { keyRoles } from '../../identity/permissions.ts'
import type { ProblemCode } from '../../problems/codes.ts'
import type { Endpoint, Method } from '../endpoint.ts'
import { queryOf } from '../request/parameters.ts'
import {
  hasId,
  isBarredWhenSuspended,
  isReplayable,
  isVersioned,
  mayNameVersion,
} from './traits.ts'

export const tokenCodes = [
  'missing_token',
  'invalid_token',
  'token_expired',
  'token_revoked',
  'session_expired',
] as const
/** Every request body is parsed and validated, even if the endpoint takes none. */
const bodyCodes = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const
const unavailableCodes = ['unavailable', 'overloaded', 'shutting_down'] as const

/** Whether a scope may bar what it does: it changes what holders of a scope may change or read. */
const mayEndOutside = ({ action = '' }: Endpoint) =>
  /^(campaign\.|template\.|client\.budget_changed$)/.test(action)

/** Whether a person may be refused until a second factor is set up. */
const isForPeople = ({ permission, withoutFactor }: Endpoint) =>
  permission !== null && !withoutFactor && permission.roles.some((role) => role !== 'connector')

/** The codes implied by the endpoint's shape, and those it declares. */
export function problemCodesOf(endpoint: Endpoint, method: Method): ProblemCode[] {
  const { permission, problems = [] } = endpoint
  const query = queryOf(endpoint)
  const [isGuarded, rule] = [permission !== null, agentRuleOf(endpoint.operation)]
  const sometimes: [boolean, readonly ProblemCode[]][] = [
    [Object.keys(query).length > 0, ['invalid_parameter']],
    ['cursor' in query, ['invalid_cursor']],
    [permission !== null, [...tokenCodes, 'rate_limited']],
    [permission !== null && permission.roles.length < keyRoles.length, ['insufficient_role']],
    [isForPeople(endpoint), ['second_factor_required']],
    [endpoint.needsRecentLogin ?? false, ['recent_login_required']],
    [endpoint.needsSession ?? false, ['session_required']],
    [isGuarded && rule === 'refused', ['insufficient_role']],
    [isGuarded && method !== 'GET' && rule !== 'stops', ['agent_stopped']],
    [isGuarded && rule === 'by_change_set', ['change_set_required']],
    [isBarredWhenSuspended(endpoint), ['organization_suspended']],
    [mayEndOutside(endpoint), ['out_of_scope']],
    [hasId(endpoint), ['not_found']],
    [method !== 'GET', bodyCodes],
    [isReplayable(endpoint, method), ['idempotency_in_progress', 'idempotency_key_reused']],
    [isVersioned(endpoint, method), ['version_mismatch', 'precondition_required']],
    [mayNameVersion(endpoint, method), ['version_mismatch']],
  ]
  const always = [
    'unknown_parameter',
    'invalid_header',
    'uri_too_long',
    'headers_too_large',
  ] as const
  const implied = sometimes.filter(([applies]) => applies).flatMap(([, codes]) => codes)
  const all = [
    ...always,
    ...implied,
    'internal_error',
    'not_implemented',
    ...unavailableCodes,
    ...problems,
  ] as const
  return [...new Set(all)]
}
