import { CommandError } from '../command.ts'

export type Credential = { token: string } | { email: string; password: string }

type Wish = { types: string | undefined; lastEventId: string | null; signal: AbortSignal }

/** A service, as one of its users sees it: over HTTP, and nothing else. */
export type Service = {
  readonly url: string
  /** The bytes of a new stream; throws a `Refused`, or what the network says. */
  open(wish: Wish): Promise<AsyncIterable<Uint8Array>>
}

/** An answer that is none of those wished for. */
export class Refused extends CommandError {
  /** Whether the same request may be answered later. */
  readonly isPassing: boolean
  readonly status: number

  constructor(status: number, { code, detail }: { code?: string; detail?: string }) {
    // The parameter has another name on the command line.
    const text = detail && String(detail).replace(/^type: /, '--events: ')
    super(text ? `${text} (${code})` : `The service answers ${status}.`)
    this.status = status
    this.isPassing = status === 429 || status >= 500
  }
}

const apiPath = '/api/v1'

/** The address of its API is taken for its own. */
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

  async function ask({ types, lastEventId, signal }: Wish): Promise<Response> {
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
    async open(wish) {
      let reply = await ask(wish)
      if (reply.status === 401 && 'email' in credential) {
        // The token had its day; whoever knows the password gets another.
        await reply.body?.cancel()
        token = null
        reply = await ask(wish)
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
