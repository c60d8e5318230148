import { type Access, type NetworkAnswer, NetworkFault, unreadable } from '../../kit/src/connect.ts'
import type { Operation } from '../mapping/operations.ts'
import { faultOf } from './errors.ts'
import { errorsIn } from './failure.ts'
import { checkLimit, limitAll } from './limits.ts'
import { isObject, type Json } from './rows.ts'

/** Requests of the network: a query, and an atomic mutate. */

export const version = 'v25'

/** The account as digits; people write it with dashes. */
export function customerOf({ accountRef }: Access): string {
  const id = accountRef.replaceAll('-', '')
  if (/^\d{1,19}$/.test(id)) return id
  throw new NetworkFault('blocked', `${accountRef} is no customer id of Google Ads.`, {
    code: 'setting',
  })
}

const pathOf = (access: Access, method: string) =>
  `/${version}/customers/${customerOf(access)}/googleAds:${method}`

/** The rows of a query, of all its parts. */
export async function search(access: Access, query: string): Promise<Json[]> {
  checkLimit(access)
  const options = { method: 'POST', body: { query }, isRead: true }
  const answer = await access.fetch(pathOf(access, 'searchStream'), options)
  const parts = expectOk(access, answer, { isWrite: false }).json()
  if (!Array.isArray(parts)) throw unreadable(false)
  // A stream that breaks off has its error behind the parts: what came is not all.
  if (parts.some((part) => isObject(part) && part.error !== undefined))
    throw failed(access, answer, { isWrite: false })
  return parts.flatMap((part) => {
    const results = isObject(part) ? (part.results ?? []) : null
    if (!Array.isArray(results) || !results.every(isObject)) throw unreadable(false)
    return results
  })
}

export type Mutate = { operations: readonly Operation[]; validateOnly?: boolean }

/** All operations or none; answers the resource names of what was made or changed. */
export async function mutate(
  access: Access,
  { operations, validateOnly = false }: Mutate,
): Promise<string[]> {
  checkLimit(access)
  const body = { mutateOperations: operations, ...(validateOnly && { validateOnly }) }
  const answer = await access.fetch(pathOf(access, 'mutate'), {
    ...{ method: 'POST', body, isRead: validateOnly },
  })
  const { mutateOperationResponses: responses = [], partialFailureError } = objectOf(
    expectOk(access, answer, { isWrite: !validateOnly, operations }).json(),
    validateOnly,
  )
  if (!Array.isArray(responses)) throw unreadable(!validateOnly)
  // Operations without an answer may not have been done.
  const isWhole = partialFailureError === undefined && responses.length === operations.length
  if (!validateOnly && !isWhole) throw unreadable(true)
  return responses.flatMap((response) => {
    const [result] = isObject(response) ? Object.values(response) : []
    return isObject(result) && typeof result.resourceName === 'string' ? [result.resourceName] : []
  })
}

function objectOf(value: unknown, validateOnly: boolean): Json {
  if (!isObject(value)) throw unreadable(!validateOnly)
  return value
}

type Sent = { isWrite: boolean; operations?: readonly Operation[] }

function expectOk(access: Access, answer: NetworkAnswer, sent: Sent): NetworkAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw failed(access, answer, sent)
}

function failed(
  access: Access,
  answer: NetworkAnswer,
  { isWrite, operations = [] }: Sent,
): NetworkFault {
  const fault = faultOf(answer, { isWrite, operations })
  const isOfAll = errorsIn(answer)?.errors.some(({ isOfCredential }) => isOfCredential)
  if (isOfAll) limitAll(access, fault.retryAfterSeconds ?? 0)
  return fault
}
