import { FlightdeckConnectionError, FlightdeckError } from '@flightdeckhq/sdk'
import type { Seen } from '../contract/adapter.ts'
import { NetworkFault } from '../contract/fault.ts'
import type { CheckItem, WorkItem } from '../contract/plan.ts'
import { LeaseEnded } from '../lease/lease.ts'
import type { Account, CheckInput, ReportInput } from './account.ts'

/** Reports of deployments, as the service takes them. */

type Of = Pick<WorkItem, 'deployment_id' | 'generation'>

export const aboutSeen = ({ adapter }: Account, seen: Seen): Partial<ReportInput> => ({
  network_object_id: seen.id,
  ...(seen.url !== null && { network_url: seen.url.slice(0, 1_000) }),
  observed: seen.observed,
  coverage: adapter.coverage,
  network_delivery: {
    state: seen.delivery.state,
    reasons: seen.delivery.reasons.slice(0, 50).map((reason) => reason.slice(0, 1_000)),
  },
})

export const reportOf = (
  { deployment_id, generation }: Of,
  outcome: ReportInput['outcome'],
  more: Partial<ReportInput> = {},
): ReportInput => ({ deployment_id, generation, outcome, ...more })

/** The network's word on a deployment as a change set would leave it; without an error it accepts that. */
export const checkOf = (
  { change_set_id, index, tried_at }: CheckItem,
  error: CheckInput['error'] = null,
): CheckInput => ({
  ...{ change_set_id, index, tried_at },
  ...{ outcome: error ? 'refused' : 'accepted', error },
})

const outcomes = {
  transient: 'failed',
  conflict: 'failed',
  rate_limited: 'failed',
  credential: 'failed',
  blocked: 'blocked',
  invalid: 'blocked',
  unknown_outcome: 'unknown_outcome',
} as const

/**
 * The report of a fault, which the account hears of too. What is not of the network is thrown again, as
 * it says nothing of the campaign.
 */
export function reportOfFault(account: Account, of: Of, error: unknown): ReportInput {
  if (isElsewhere(account, error)) throw error
  const fault = error instanceof NetworkFault ? error : unexpected(error)
  account.hear(fault)
  const { access, backoff } = account
  const isTriedAgain = outcomes[fault.kind] !== 'blocked'
  const seconds = fault.retryAfterSeconds ?? backoff.next(of.deployment_id) / 1_000
  const said = (text: string) => access.redact(text).slice(0, 1_000)
  const { code = null, subcode = null, request_id = null } = fault.network ?? {}
  return reportOf(of, outcomes[fault.kind], {
    error: {
      code: fault.code,
      message: said(fault.message),
      errors: fault.errors
        .slice(0, 50)
        .map(({ pointer, message }) => ({ pointer: said(pointer), message: said(message) })),
      ...(fault.network && { network: { code, subcode, request_id } }),
    },
    ...(isTriedAgain && { retry_after_seconds: Math.min(86_400, Math.max(1, Math.ceil(seconds))) }),
  })
}

/** The service's own refusal, or the end of the lease or of the process. */
const isElsewhere = ({ signal }: Account, error: unknown): boolean =>
  signal.aborted ||
  error instanceof LeaseEnded ||
  error instanceof FlightdeckError ||
  error instanceof FlightdeckConnectionError

const unexpected = (error: unknown) =>
  new NetworkFault(
    'transient',
    `The adapter failed: ${error instanceof Error ? error.message : String(error)}`,
  )
