import { memberOf } from '../values/objects.ts'

export type Members = Readonly<Record<string, unknown>>

export type ApiRequest = {
  method?: 'GET' | 'POST'
  /** Below the service's address, with the prefix of the API. */
  path: string
  query?: Members
  body?: unknown
  headers?: Record<string, string>
}

export type ApiReply = { status: number; body: string }

/** Sends a request to the HTTP API, in process or from outside, with the caller's credential. */
export type SendToApi = (request: {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
}) => Promise<ApiReply>

/** Calls the API for a tool; throws `Refusal` for what it refuses. */
export type Api = (request: ApiRequest) => Promise<unknown>

/** A problem document of the API. */
export class Refusal extends Error {
  readonly problem: unknown

  constructor(problem: unknown) {
    super(String(memberOf(problem, 'code')))
    this.problem = problem
  }
}

/** A refusal by a tool itself, in the shape of the API's problems. */
export const refused = (code: string, detail: string) => new Refusal({ code, detail })

export const apiPath = '/api/v1'

export const apiOver =
  (send: SendToApi): Api =>
  async ({ method = 'GET', path, query = {}, body, headers = {} }) => {
    const reply = await send({
      method,
      url: `${path}${searchOf(query)}`,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = parsed(reply)
    if (reply.status >= 400) throw new Refusal(answer)
    return answer
  }

function parsed({ status, body }: ApiReply): unknown {
  try {
    return body === '' ? null : JSON.parse(body)
  } catch {
    return { code: 'unreadable_reply', detail: `The service answered ${status} without JSON.` }
  }
}

function searchOf(query: Members): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    search.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return search.size > 0 ? `?${search}` : ''
}
