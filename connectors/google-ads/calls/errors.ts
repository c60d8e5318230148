import { type FieldFault, type NetworkAnswer, NetworkFault } from '../../kit/src/connect.ts'
import type { Operation } from '../mapping/operations.ts'
import { commonErrorIn, errorsIn, type GoogleError } from './failure.ts'
import { pointerOf } from './pointers.ts'

/** The network’s errors as faults. */

type Kind =
  | 'credential'
  | 'permission'
  | 'suspended'
  | 'declaration'
  | 'quota'
  | 'transient'
  | 'conflict'
  | 'cannotChange'
  | 'gone'
  | 'invalid'

/** By `error.WORD`, or all words of an error by `error`. */
export const kinds: Readonly<Record<string, Kind>> = {
  authenticationError: 'credential',
  authorizationError: 'permission',
  'authorizationError.CUSTOMER_NOT_ENABLED': 'suspended',
  'authorizationError.ACTION_NOT_PERMITTED_FOR_SUSPENDED_ACCOUNT': 'suspended',
  'requestError.DEVELOPER_TOKEN_PARAMETER_MISSING': 'credential',
  'requestError.CLOUD_PROJECT_NOT_FOUND': 'credential',
  'mutateError.EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED': 'declaration',
  'criterionError.MISSING_EU_POLITICAL_ADVERTISING_SELF_DECLARATION': 'declaration',
  quotaError: 'quota',
  'quotaError.ACCESS_PROHIBITED': 'credential',
  'internalError.INTERNAL_ERROR': 'transient',
  'internalError.TRANSIENT_ERROR': 'transient',
  'internalError.DEADLINE_EXCEEDED': 'transient',
  'databaseError.CONCURRENT_MODIFICATION': 'conflict',
  'campaignError.CANNOT_CHANGE_BUDGET_PERIOD': 'cannotChange',
  'campaignError.CANNOT_MODIFY_START_DATE_IF_ALREADY_STARTED': 'cannotChange',
  'dateRangeError.CANNOT_MODIFY_START_DATE_IF_ALREADY_STARTED': 'cannotChange',
  'fieldError.IMMUTABLE_FIELD': 'cannotChange',
  'requestError.IMMUTABLE_FIELD': 'cannotChange',
  'mutateError.RESOURCE_NOT_FOUND': 'gone',
  'requestError.RESOURCE_NOT_FOUND': 'gone',
  'operationAccessDeniedError.OPERATION_NOT_PERMITTED_FOR_REMOVED_RESOURCE': 'gone',
}

const kindOf = ({ error, word }: GoogleError): Kind =>
  kinds[`${error}.${word}`] ?? kinds[error] ?? 'invalid'

/** One request may have several errors: the first that a person must act on, else that which waits longest. */
const order: readonly Kind[] = [
  ...(['credential', 'permission', 'suspended', 'declaration', 'quota'] as const),
  ...(['gone', 'conflict', 'cannotChange', 'invalid', 'transient'] as const),
]

type Sending = { isWrite: boolean; operations: readonly Operation[] }

export function faultOf(answer: NetworkAnswer, asked: Sending): NetworkFault {
  const failure = errorsIn(answer)
  if (failure === null || failure.errors.length === 0) return bareFault(answer, asked)
  // Errors that come of others say nothing of their own.
  const causes = failure.errors.filter(({ word }) => word !== 'TEMP_ID_RESOURCE_HAD_ERRORS')
  const errors = causes.length > 0 ? causes : failure.errors
  const ranked = errors.toSorted((a, b) => order.indexOf(kindOf(a)) - order.indexOf(kindOf(b)))
  const [first] = ranked
  if (!first) return bareFault(answer, asked)
  const network = { code: first.error, subcode: first.word, request_id: failure.requestId }
  return faults[kindOf(first)]({ first, errors, network, asked })
}

type Made = {
  first: GoogleError
  errors: readonly GoogleError[]
  network: { code: string; subcode: string; request_id: string | null }
  asked: Sending
}

const limitSeconds = 30

const faults: Readonly<Record<Kind, (made: Made) => NetworkFault>> = {
  credential: ({ first, network }) => new NetworkFault('credential', first.message, { network }),
  permission: ({ first, network }) =>
    new NetworkFault('credential', first.message, { code: 'permission', network }),
  suspended: ({ first, network }) =>
    new NetworkFault('blocked', first.message, { code: 'account_suspended', network }),
  declaration: ({ first, network }) =>
    new NetworkFault('blocked', first.message, {
      code: 'declaration',
      errors: [of(first)],
      network,
    }),
  quota: ({ first, errors, network }) => {
    const seconds = errors.map((each) => each.retrySeconds ?? 0)
    const retryAfterSeconds = Math.max(...seconds) || limitSeconds
    return new NetworkFault('rate_limited', first.message, { network, retryAfterSeconds })
  },
  // A write that failed inside of the network may have been done.
  transient: ({ first, network, asked }) =>
    new NetworkFault(asked.isWrite ? 'unknown_outcome' : 'transient', first.message, { network }),
  conflict: ({ first, network }) => new NetworkFault('conflict', first.message, { network }),
  gone: ({ first, network }) => new NetworkFault('conflict', first.message, { network }),
  cannotChange: ({ first, errors, network, asked }) =>
    new NetworkFault('blocked', first.message, {
      ...{ code: 'cannot_change', errors: fieldsOf(errors, asked), network },
    }),
  invalid: ({ first, errors, network, asked }) =>
    new NetworkFault('invalid', first.message, { errors: fieldsOf(errors, asked), network }),
}

const of = ({ message }: GoogleError): FieldFault => ({
  pointer: '/settings/contains_eu_political_advertising',
  message,
})

function fieldsOf(errors: readonly GoogleError[], { operations }: Sending): FieldFault[] {
  return errors.flatMap((error) => {
    const pointer = pointerOf(error, operations)
    if (pointer === null) return []
    const limit = error.minimumMicros === null ? '' : ` The least is ${error.minimumMicros} micros.`
    return [{ pointer, message: `${error.message}${limit}` }]
  })
}

/** An answer without the network’s own errors, such as that of a gateway. */
function bareFault(answer: NetworkAnswer, { isWrite }: Sending): NetworkFault {
  const { status } = answer
  const common = commonErrorIn(answer)
  const message = common?.message || `Google Ads answers ${status}.`
  const network = { code: String(status), subcode: common?.reason ?? null }
  if (status === 401) return new NetworkFault('credential', message, { network })
  if (status === 403)
    return new NetworkFault('credential', message, { code: 'permission', network })
  if (status === 429) {
    const retryAfterSeconds = Number(answer.header('retry-after') ?? limitSeconds) || limitSeconds
    return new NetworkFault('rate_limited', message, { network, retryAfterSeconds })
  }
  return new NetworkFault(isWrite ? 'unknown_outcome' : 'transient', message, { network })
}
