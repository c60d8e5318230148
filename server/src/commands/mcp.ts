import { once } from 'node:events'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { environment } from '../config/environment.ts'
import { apiOver, apiPath, Refusal, refused, type SendToApi } from '../mcp/call.ts'
import { mcpServer } from '../mcp/server.ts'
import { memberOf } from '../values/objects.ts'
import { action } from './command.ts'
import { readAll } from './read-all.ts'
import { httpUrl, ownUrl, reasonOf, tokenIn } from './remote.ts'

const patienceMs = 30_000

/** The tools of `/mcp` over standard input and output, for programs that cannot send headers. */
export const mcp = action({
  async run(given): Promise<undefined> {
    const { url, token } = readAll({
      url: () => httpUrl('url', given.option('url') ?? (environment().FLIGHTDECK_URL || ownUrl())),
      token: () => tokenIn(given),
    })
    const { origin } = new URL(url)
    const send = sendTo(origin, token)
    const isOfAgent = await isAgent(send)
    const served = serveStdio(() => mcpServer({ send, origin, isOfAgent }))
    await once(process.stdin, 'close')
    await served.close()
  },
  show: () => '',
})

/** Asks whose token it is. Without an answer the list is the long one: the API refuses all the same. */
async function isAgent(send: SendToApi): Promise<boolean> {
  try {
    const api = apiOver(send)
    const id = memberOf(memberOf(await api({ path: `${apiPath}/auth/me` }), 'api_key'), 'id')
    if (typeof id !== 'string') return false
    const agent = memberOf(await api({ path: `${apiPath}/api_keys/${id}` }), 'agent')
    return typeof agent === 'object' && agent !== null
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

const sendTo =
  (origin: string, token: string): SendToApi =>
  async ({ method, url, headers, body }) => {
    try {
      const reply = await fetch(`${origin}${url}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${token}` },
        redirect: 'manual',
        signal: AbortSignal.timeout(patienceMs),
        ...(body !== undefined && { body }),
      })
      const isRedirected = reply.status >= 300 && reply.status < 400
      if (isRedirected) throw refused('unreachable', 'The address leads elsewhere: correct it.')
      return { status: reply.status, body: await reply.text() }
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw refused('unreachable', `Nothing answers at ${origin}: ${reasonOf(error)}.`)
    }
  }
