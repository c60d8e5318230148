import { type Access, type NetworkAnswer, NetworkFault, unreadable } from '../kit/src/connect.ts'
import { errorIn } from './answers.ts'

/** Calls of the simulated network, and its errors as faults. */

type Options = { method?: string; body?: unknown }

export const ask = (access: Access, path: string, options?: Options): Promise<NetworkAnswer> =>
  access.fetch(
    `/v1/accounts/${encodeURIComponent(access.accountRef)}${path === '' ? '' : `/${path}`}`,
    options,
  )

/** The pointers of the fields that the network names. */
const pointers: Readonly<Record<string, string>> = {
  name: '/name',
  objective: '/objective',
  daily_budget_minor: '/daily_budget',
  lifetime_budget_minor: '/lifetime_budget',
  start_at: '/start_at',
  end_at: '/end_at',
  schedule: '/schedule',
  settings: '/settings',
}

/** The answer if it is a success; throws the fault that it is otherwise. */
export function expectOk(answer: NetworkAnswer, kind: 'read' | 'write'): NetworkAnswer {
  const { status } = answer
  if (status >= 200 && status < 300) return answer
  const error = errorIn(answer.text)
  if (error === null) throw status >= 500 ? lostOr(kind, status) : unreadable(kind === 'write')
  const { code, message, field, request_id } = error
  const network = { code, request_id }
  switch (code) {
    case 'credential_expired':
    case 'credential_invalid':
      throw new NetworkFault('credential', message, { network })
    case 'account_suspended':
      throw new NetworkFault('blocked', message, { code: 'account_suspended', network })
    case 'rate_limited': {
      const retryAfterSeconds = Number(answer.header('retry-after') ?? 30)
      throw new NetworkFault('rate_limited', message, { network, retryAfterSeconds })
    }
    case 'concurrent_modification':
      throw new NetworkFault('conflict', message, { network })
    case 'unavailable':
      throw new NetworkFault('transient', message, { network })
    case 'immutable_field':
      throw new NetworkFault('blocked', message, { code: 'cannot_change', network })
    case 'not_found':
      throw new NetworkFault('conflict', message, { network })
    default: {
      const pointer = field === null ? undefined : pointers[field]
      const errors = pointer === undefined ? [] : [{ pointer, message }]
      throw new NetworkFault('invalid', message, { errors, network })
    }
  }
}

const lostOr = (kind: 'read' | 'write', status: number) =>
  new NetworkFault(
    kind === 'write' ? 'unknown_outcome' : 'transient',
    `The network answers ${status}.`,
  )
