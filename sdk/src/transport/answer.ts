import { FlightdeckError } from '../error.ts'
import { jsonIn } from '../json.ts'
import type { components } from '../openapi.ts'
import { answered } from './connection.ts'
import { retryAfterSeconds } from './wait.ts'

type Problem = components['schemas']['Problem']

/** The JSON of a successful answer; throws a `FlightdeckError` for anything else. */
export async function jsonOf(response: Response): Promise<unknown> {
  const text = await textOf(response)
  const value = jsonIn(text)
  if (value === undefined) throw new FlightdeckError(foreignProblem(response, text))
  return value
}

/** The error of an unsuccessful response. */
export async function errorOf(response: Response): Promise<FlightdeckError> {
  const text = await textOf(response)
  const value = jsonIn(text)
  const problem = isProblem(value) ? value : foreignProblem(response, text)
  return new FlightdeckError(problem, retryAfterSeconds(response.headers))
}

/** Refuses a page of HTML in the place of a file or a stream. */
export async function throwIfPage(response: Response): Promise<void> {
  if (!/^\s*text\/html\b/i.test(response.headers.get('content-type') ?? '')) return
  throw new FlightdeckError(foreignProblem(response, await textOf(response)))
}

const textOf = (response: Response) => answered(() => response.text())

/** Problems of others have other members, or none. */
function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { code, status, detail, request_id, retry, errors } = value as Record<
    keyof Problem,
    unknown
  >
  const texts = [code, detail, request_id, retry]
  return (
    texts.every((text) => typeof text === 'string') &&
    typeof status === 'number' &&
    Array.isArray(errors)
  )
}

const shownLength = 200
const transient = [429, 502, 503, 504]

/** The response came from something else, such as a gateway. */
function foreignProblem(response: Response, text: string): Problem {
  const { status, headers, url } = response
  return {
    type: 'about:blank',
    title: 'The answer is not from Flightdeck',
    status,
    detail: redirectIn(response) ?? (text.slice(0, shownLength).trim() || 'The answer is empty.'),
    instance: url,
    code: 'unknown',
    request_id: headers.get('x-request-id') ?? '',
    retry: transient.includes(status) ? 'transient' : 'terminal',
    errors: [],
  }
}

/** Pages of a browser do not see where a redirect leads. */
function redirectIn({ status, type, headers }: Response): string | null {
  if (type !== 'opaqueredirect' && (status < 300 || status > 399)) return null
  const address = headers.get('location')?.slice(0, shownLength) ?? 'another address'
  return `The answer is a redirect to ${address}: baseUrl has to be where the service answers.`
}
