import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { InjectOptions } from 'fastify'
import type { World } from '../world.ts'

export const publicUrl = 'https://ads.example.com'

export const eras = ['legacy', 'auto'] as const

/** The official client, speaking to the app in process. `auto` finds the newest protocol. */
export async function mcpClient(
  world: World,
  token: string | null,
  mode: (typeof eras)[number] = 'auto',
): Promise<Client> {
  const client = new Client({ name: 'desk', version: '7.1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}`, 'user-agent': 'agent-of-old/3' } },
    fetch: (url, init) => throughApp(world, String(url), init ?? {}),
  })
  await client.connect(transport)
  return client
}

async function throughApp({ app }: World, url: string, init: RequestInit): Promise<Response> {
  const { pathname, host } = new URL(url)
  const headers = { ...Object.fromEntries(new Headers(init.headers)), host }
  const method = init.method === 'POST' ? 'POST' : 'GET'
  const payload: InjectOptions = init.body ? { payload: String(init.body) } : {}
  const reply = await app.inject({ method, url: pathname, headers, ...payload })
  const isEmpty = [202, 204].includes(reply.statusCode)
  return new Response(isEmpty ? null : reply.body, {
    status: reply.statusCode,
    headers: { 'content-type': String(reply.headers['content-type'] ?? 'application/json') },
  })
}
