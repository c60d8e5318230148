import { CommandError } from '../command.ts'

export type Credential = { token: string } | { email: string; password: string }

type StreamRequest = { types: string | undefined; lastEventId: string | null; signal: AbortSignal }

/** A service, reached over its HTTP API. */
export type Service = {
  readonly url: string
  /** Opens a stream; throws a `Refused`, or the network's error. */
  open(request: StreamRequest): Promise<AsyncIterable<Uint8Array>>
}

/** The service answered with an error. */
export class Refused extends CommandError {
  /** Whether a retry may succeed. */
  readonly isTransient: boolean
  readonly status: number

  constructor(status: number, { code, detail }: { code?: string; detail?: string }) {
    // The parameter has another name on the command line.
    const text = detail && String(detail).replace(/^type: /, '--events: ')
    super(text ? `${text} (${code})` : `The service answers ${status}.`)
    this.status = status
    this.isTransient = status === 429 || status >= 500
  }
}

const apiPath = '/api/v1'

/** Accepts the URL of the service or of its API. */
export function serviceAt(given: string, credential: Credential): Service {
  const url = given.endsWith(apiPath) ? given.slice(0, -apiPath.length) : given
  const api = `${url}${apiPath}`
  let token = 'token' in credential ? credential.token : null

  async function logIn(signal: AbortSignal): Promise<string> {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(credential)
    const reply = await fetch(`${api}/auth/login`, { method: 'POST', headers, body, signal })
    if (reply.status !== 200) throw await refusalOf(reply)
    return String(Object(await reply.json()).token)
  }

  async function request({ types, lastEventId, signal }: StreamRequest): Promise<Response> {
    token ??= await logIn(signal)
    const search = types === undefined ? '' : `?${new URLSearchParams({ type: types })}`
    const headers = {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
    }
    return fetch(`${api}/events/stream${search}`, { headers, signal })
  }

  return {
    url,
    async open(options) {
      let reply = await request(options)
      if (reply.status === 401 && 'email' in credential) {
        // The token has expired: log in again.
        await reply.body?.cancel()
        token = null
        reply = await request(options)
      }
      if (reply.status !== 200 || !reply.body) throw await refusalOf(reply)
      return reply.body
    },
  }
}

async function refusalOf(reply: Response): Promise<Refused> {
  // A proxy in between may answer with anything.
  const problem: unknown = await reply.json().catch(() => null)
  return new Refused(reply.status, Object(problem))
}
